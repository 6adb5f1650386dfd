#include "mappings/resolver/task_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "mappings/resolver/linked_mapping.h"
#include "support/near_miss.h"

namespace nplab::mappings {
namespace {

using CallKey = std::pair<std::string, std::optional<unsigned>>;
using Elements = std::set<MetadataElement>;

// What packets have gone through when they come to a stage or leave it.
struct Progress {
  std::map<CallKey, std::string> done;  // and in which stage; on any way here
  Elements written;                     // on every way here; where branches join, on any
};

class TaskChecker {
 public:
  TaskChecker(const LinkedMapping& linked, const StageCalls& calls, std::size_t dimensions,
              Diagnostics& diagnostics)
      : linked_(linked),
        calls_(calls),
        dimensions_(dimensions),
        diagnostics_(diagnostics),
        after_(calls.size()) {
    for (const auto& stage : calls) {
      for (const TaskCall& call : stage)
        placed_writes_.insert(call.writes.begin(), call.writes.end());
    }
  }

  void check() {
    for (const std::size_t stage : *linked_.order) {
      Progress progress = before(stage);
      for (const TaskCall& call : calls_[stage])
        check_call(call, linked_.mapping.stages[stage], progress);
      const bool ends = leads_to_transmit(linked_.graph, stage, linked_.mapping);
      if (ends)
        check_complete(linked_.mapping.stages[stage], progress);
      after_[stage] = std::move(progress);
    }
  }

 private:
  Progress before(std::size_t stage) const {
    Progress progress;
    bool is_first = true;
    for (auto [edge, end] = boost::in_edges(stage, linked_.graph); edge != end; ++edge) {
      const Progress& from = after_[boost::source(*edge, linked_.graph)];
      progress.done.insert(from.done.begin(), from.done.end());
      if (linked_.mapping.stages[stage].inputs == QueueChoice::kEach) {
        progress.written.insert(from.written.begin(), from.written.end());
      } else if (is_first) {
        progress.written = from.written;
      } else {
        std::erase_if(progress.written,
                      [&](const MetadataElement& e) { return !from.written.contains(e); });
      }
      is_first = false;
    }
    return progress;
  }

  void check_call(const TaskCall& call, const StageEntry& stage, Progress& progress) {
    const SourceLocation& at = location_of(call, stage);
    const auto [first, is_new] =
        progress.done.emplace(CallKey{call.task, call.dimension}, stage.name);
    if (!is_new) {
      diagnostics_.error(at, fmt::format("task '{}' is used twice: in stage '{}' and in stage '{}'",
                                         to_string(call), first->second, stage.name));
    }
    std::vector<std::string> too_early;
    for (const MetadataElement& read : call.reads) {
      // A value that no placed task writes is missed once, with the missing task.
      if (!progress.written.contains(read) && placed_writes_.contains(read))
        too_early.push_back(to_string(read));
    }
    if (!too_early.empty()) {
      diagnostics_.error(
          at,
          fmt::format("task '{}' in stage '{}' reads {} before it is written: place the task that "
                      "writes it earlier",
                      to_string(call), stage.name, fmt::join(too_early, ", ")));
    }
    progress.written.insert(call.writes.begin(), call.writes.end());
  }

  static const SourceLocation& location_of(const TaskCall& call, const StageEntry& stage) {
    const TaskSelection* found = nullptr;
    for (const TaskSelection& selection : stage.tasks) {
      if (selection.task != call.task)
        continue;
      const auto& chosen = selection.dimensions;
      const bool covers = !chosen || !call.dimension ||
                          (chosen->first <= *call.dimension && *call.dimension <= chosen->last);
      if (covers)
        found = &selection;  // of two, the later is the one too many
    }
    return found == nullptr ? stage.location : found->location;
  }

  void check_complete(const StageEntry& stage, const Progress& progress) {
    const bool is_open =
        std::any_of(linked_.mapping.stages.begin(), linked_.mapping.stages.end(),
                    [](const StageEntry& s) { return s.role == StageRole::kProgram; });
    if (is_open)
      return;  // a hand-written program may do any task's work
    for (const TaskDeclaration& task : linked_.manifest.tasks)
      check_done(task, stage, progress);
  }

  void check_done(const TaskDeclaration& task, const StageEntry& stage, const Progress& progress) {
    const bool per_dimension = task.per == TaskDeclaration::Per::kDimension;
    const std::size_t count = per_dimension ? dimensions_ : 1;
    std::vector<unsigned> missing;
    for (unsigned d = 0; d < count; ++d) {
      const CallKey key{task.name, per_dimension ? std::optional(d) : std::nullopt};
      if (!progress.done.contains(key))
        missing.push_back(d);
    }
    if (missing.empty())
      return;
    const std::string what =
        per_dimension && missing.size() < count
            ? fmt::format("dimension{} {} of task '{}'", missing.size() == 1 ? "" : "s",
                          fmt::join(missing, ", "), task.name)
            : fmt::format("task '{}'", task.name);
    diagnostics_.error(
        stage.location,
        fmt::format("{} is missing: packets leave stage '{}' for transmission without it", what,
                    stage.name));
  }

  const LinkedMapping& linked_;
  const StageCalls& calls_;
  const std::size_t dimensions_;
  Diagnostics& diagnostics_;
  std::vector<Progress> after_;
  Elements placed_writes_;
};

}  // namespace

void check_task_names(const MappingFile& mapping, const Manifest& manifest,
                      Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const TaskDeclaration& task : manifest.tasks)
    known.push_back(task.name);
  for (const StageEntry& stage : mapping.stages) {
    for (const TaskSelection& selection : stage.tasks) {
      const TaskDeclaration* task = manifest.find_task(selection.task);
      if (task == nullptr) {
        diagnostics.error(selection.location,
                          fmt::format("{} has no task '{}'; {}", manifest.algorithm, selection.task,
                                      suggestion(selection.task, known)));
      } else if (task->per == TaskDeclaration::Per::kPacket && selection.dimensions) {
        diagnostics.error(
            selection.location,
            fmt::format("task '{}' runs once per packet: write it without [...]", task->name));
      }
    }
  }
}

void check_tasks(const LinkedMapping& linked, const StageCalls& calls, std::size_t dimensions,
                 Diagnostics& diagnostics) {
  TaskChecker(linked, calls, dimensions, diagnostics).check();
}

}  // namespace nplab::mappings
