#include "mappings/resolver/threads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace nplab::mappings {
namespace {

class ThreadAssignment {
 public:
  ThreadAssignment(const ChipFacts& chip, Diagnostics& diagnostics)
      : chip_(chip), diagnostics_(diagnostics) {}

  // The contexts that the mapping names.
  std::vector<ThreadPlace> assign(const StageEntry& stage) {
    std::vector<ThreadPlace> threads;
    absent_.clear();
    for (std::size_t i = 0; i < stage.engines.size(); ++i) {
      if (exists(stage, stage.engines[i]))
        take_contexts(stage, stage.engines[i], stage.contexts[i], threads);
    }
    report_absent(stage);
    return threads;
  }

  // So many of the contexts that no stage before has, in the order of engines and contexts: where
  // all are taken, striped and tiled are the same.
  std::vector<ThreadPlace> spread(const StageEntry& stage) {
    std::vector<unsigned> engines;
    for (const Located<unsigned>& engine : stage.engines) {
      if (!exists(stage, engine))
        continue;
      if (std::find(engines.begin(), engines.end(), engine.value) == engines.end()) {
        engines.push_back(engine.value);
      } else {
        diagnostics_.error(engine.location, fmt::format("stage '{}' lists engine {} twice",
                                                        stage.name, engine.value));
      }
    }
    const SpreadThreads& wanted = *stage.spread;
    std::size_t free = 0;
    for (const unsigned engine : engines)
      free += free_contexts(engine);
    if (free < wanted.count.value) {
      diagnostics_.error(
          wanted.count.location,
          fmt::format("stage '{}' wants {} threads; its engines have {} free contexts of {}",
                      stage.name, wanted.count.value, free, engines.size() * chip_.contexts));
      return {};
    }
    std::vector<ThreadPlace> threads;
    for (std::uint32_t i = 0; i < wanted.count.value; ++i)
      threads.push_back(take_next(stage, engines));
    const auto position = [&](const ThreadPlace& thread) {
      return std::find(engines.begin(), engines.end(), thread.engine);
    };
    std::sort(threads.begin(), threads.end(), [&](const ThreadPlace& a, const ThreadPlace& b) {
      return std::pair(position(a), a.context) < std::pair(position(b), b.context);
    });
    return threads;
  }

 private:
  bool exists(const StageEntry& stage, const Located<unsigned>& engine) {
    if (engine.value < chip_.engines)
      return true;
    diagnostics_.error(engine.location,
                       fmt::format("stage '{}': there is no engine {}; {} has engines 0 to {}",
                                   stage.name, engine.value, chip_.name, chip_.engines - 1));
    return false;
  }

  [[nodiscard]] unsigned free_contexts(unsigned engine) const {
    unsigned free = 0;
    for (unsigned context = 0; context < chip_.contexts; ++context)
      free += owners_.contains({engine, context}) ? 0 : 1;
    return free;
  }

  // Striped: of the engine with most free contexts, the first of such; tiled: of the first engine
  // that has one.
  ThreadPlace take_next(const StageEntry& stage, const std::vector<unsigned>& engines) {
    const bool is_striped = stage.spread->order == ThreadOrder::kStriped;
    const auto engine = is_striped ? *std::max_element(engines.begin(), engines.end(),
                                                       [&](unsigned a, unsigned b) {
                                                         return free_contexts(a) < free_contexts(b);
                                                       })
                                   : *std::find_if(engines.begin(), engines.end(), [&](unsigned e) {
                                       return free_contexts(e) > 0;
                                     });
    ThreadPlace thread{engine, 0};
    while (owners_.contains(thread))
      ++thread.context;
    owners_.emplace(thread, stage.name);
    return thread;
  }

  void take_contexts(const StageEntry& stage, const Located<unsigned>& engine,
                     const std::vector<unsigned>& contexts, std::vector<ThreadPlace>& threads) {
    std::map<std::string, std::vector<unsigned>> taken_by;
    for (const unsigned context : contexts) {
      if (context >= chip_.contexts) {
        absent_[context].push_back(engine.value);
        continue;
      }
      const ThreadPlace thread{engine.value, context};
      const auto [owner, is_free] = owners_.emplace(thread, stage.name);
      if (is_free) {
        threads.push_back(thread);
      } else {
        taken_by[owner->second].push_back(context);
      }
    }
    for (const auto& [owner, shared] : taken_by) {
      diagnostics_.error(
          engine.location,
          fmt::format("engine {} is used twice: its context{} {} by stage '{}' and by "
                      "stage '{}'",
                      engine.value, shared.size() == 1 ? "" : "s", fmt::join(shared, ", "), owner,
                      stage.name));
    }
  }

  // Once for all engines of the stage.
  void report_absent(const StageEntry& stage) {
    if (absent_.empty())
      return;
    const auto& [context, engines] = *absent_.begin();
    diagnostics_.error(
        stage.threads_location,
        fmt::format("stage '{}': there is no context {} on engine{} {}; {} has {} "
                    "contexts per engine, 0 to {}",
                    stage.name, context, engines.size() == 1 ? "" : "s", fmt::join(engines, ", "),
                    chip_.name, chip_.contexts, chip_.contexts - 1));
  }

  const ChipFacts& chip_;
  Diagnostics& diagnostics_;
  std::map<unsigned, std::vector<unsigned>> absent_;  // contexts of the stage; their engines
  std::map<ThreadPlace, std::string> owners_;
};

}  // namespace

std::vector<std::vector<ThreadPlace>> assign_threads(const MappingFile& mapping,
                                                     const ChipFacts& chip,
                                                     Diagnostics& diagnostics) {
  ThreadAssignment assignment(chip, diagnostics);
  std::vector<std::vector<ThreadPlace>> threads(mapping.stages.size());
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (!mapping.stages[i].spread)
      threads[i] = assignment.assign(mapping.stages[i]);
  }
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (mapping.stages[i].spread)
      threads[i] = assignment.spread(mapping.stages[i]);
  }
  return threads;
}

}  // namespace nplab::mappings
