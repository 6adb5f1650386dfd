#include "mappings/resolver/threads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace nplab::mappings {
namespace {

class ThreadAssignment {
 public:
  ThreadAssignment(const ChipFacts& chip, Diagnostics& diagnostics) : chip_(chip), diagnostics_(diagnostics) {}

  std::vector<ThreadId> assign(const StageEntry& stage) {
    std::vector<ThreadId> threads;
    for (std::size_t i = 0; i < stage.engines.size(); ++i) {
      const auto& engine = stage.engines[i];
      if (engine.value >= chip_.engines) {
        diagnostics_.error(engine.location, fmt::format("stage '{}': there is no engine {}; {} has engines 0 to {}",
                                                        stage.name,
                                                        engine.value, chip_.name, chip_.engines - 1));
        continue;
      }
      take_contexts(stage, engine, stage.contexts[i], threads);
    }
    return threads;
  }

 private:
  void take_contexts(const StageEntry& stage, const Located<unsigned>& engine, const std::vector<unsigned>& contexts,
                     std::vector<ThreadId>& threads) {
    std::map<std::string, std::vector<unsigned>> taken_by;
    for (const unsigned context : contexts) {
      if (context >= chip_.contexts) {
        diagnostics_.error(engine.location,
                           fmt::format("stage '{}': there is no context {} on engine {}; {} has contexts 0 to {}",
                                       stage.name,
                                       context, engine.value, chip_.name, chip_.contexts - 1));
        continue;
      }
      const ThreadId thread{engine.value, context};
      const auto [owner, is_free] = owners_.emplace(thread, stage.name);
      if (is_free) {
        threads.push_back(thread);
      } else {
        taken_by[owner->second].push_back(context);
      }
    }
    for (const auto& [owner, shared] : taken_by) {
      diagnostics_.error(engine.location, fmt::format("engine {} is used twice: its context{} {} by stage '{}' and by "
                                                      "stage '{}'",
                                                      engine.value, shared.size() == 1 ? "" : "s",
                                                      fmt::join(shared, ", "),
                                                      owner, stage.name));
    }
  }

  const ChipFacts& chip_;
  Diagnostics& diagnostics_;
  std::map<ThreadId, std::string> owners_;
};

}  // namespace

std::vector<std::vector<ThreadId>> assign_threads(const MappingFile& mapping, const ChipFacts& chip,
                                                  Diagnostics& diagnostics) {
  ThreadAssignment assignment(chip, diagnostics);
  std::vector<std::vector<ThreadId>> threads;
  for (const StageEntry& stage : mapping.stages) threads.push_back(assignment.assign(stage));
  return threads;
}

}  // namespace nplab::mappings
