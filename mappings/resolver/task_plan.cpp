#include "mappings/resolver/task_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "support/near_miss.h"

namespace nplab::mappings {
namespace {

using CallKey = std::pair<std::string, std::optional<unsigned>>;
using Elements = std::set<MetadataElement>;

void add_elements(const FieldReference& reference, std::optional<unsigned> dimension,
                  std::size_t dimensions, std::vector<MetadataElement>& elements) {
  switch (reference.selector) {
    case FieldReference::Selector::scalar:
      elements.push_back({reference.name, std::nullopt});
      break;
    case FieldReference::Selector::own_dimension:
      elements.push_back({reference.name, dimension});
      break;
    case FieldReference::Selector::all_dimensions:
      for (unsigned d = 0; d < dimensions; ++d)
        elements.push_back({reference.name, d});
      break;
  }
}

TaskCall make_call(const TaskDeclaration& task, std::optional<unsigned> dimension,
                   std::size_t dimensions) {
  TaskCall call;
  call.task = task.name;
  call.dimension = dimension;
  for (const FieldReference& read : task.reads) {
    std::vector<MetadataElement> elements;
    add_elements(read, dimension, dimensions, elements);
    if (read.kind == FieldReference::Kind::metadata) {
      call.reads.insert(call.reads.end(), elements.begin(), elements.end());
    } else {
      for (const MetadataElement& element : elements)
        call.packet_fields.push_back(element.dimension.value_or(0));
    }
  }
  for (const FieldReference& write : task.writes)
    add_elements(write, dimension, dimensions, call.writes);
  if (task.leave_when_zero) {
    std::vector<MetadataElement> elements;
    add_elements(*task.leave_when_zero, dimension, dimensions, elements);
    call.leave_when_zero = elements.front();
  }
  return call;
}

// The dimensions that a selection names, of those that the rules have.
std::vector<unsigned> selected_dimensions(const TaskSelection& selection, std::size_t dimensions,
                                          Diagnostics& diagnostics) {
  const auto chosen = selection.dimensions.value_or(TaskSelection::Dimensions{0, ~0U, true});
  if (!chosen.is_range && chosen.first >= dimensions) {
    diagnostics.error(
        selection.location,
        fmt::format(
            "there is no dimension {0}: the rules have dimensions 0 to {1}; '{2}[{0}..]' takes "
            "what there is",
            chosen.first, dimensions - 1, selection.task));
    return {};
  }
  std::vector<unsigned> found;
  for (unsigned d = chosen.first; d < dimensions && d <= chosen.last; ++d)
    found.push_back(d);
  return found;
}

// What packets have gone through when they come to a stage or leave it.
struct Progress {
  std::map<CallKey, std::string> done;  // and in which stage; on any way here
  Elements written;                     // on every way here; where branches join, on any
};

class TaskChecker {
 public:
  TaskChecker(const StageGraph& graph, const std::vector<std::vector<TaskCall>>& calls,
              const ResolveInputs& inputs, Diagnostics& diagnostics)
      : graph_(graph),
        calls_(calls),
        inputs_(inputs),
        diagnostics_(diagnostics),
        after_(calls.size()) {
    for (const auto& stage : calls) {
      for (const TaskCall& call : stage)
        placed_writes_.insert(call.writes.begin(), call.writes.end());
    }
  }

  void check(const std::vector<std::size_t>& order) {
    for (const std::size_t stage : order) {
      Progress progress = before(stage);
      for (const TaskCall& call : calls_[stage])
        check_call(call, inputs_.mapping.stages[stage], progress);
      const bool ends = leads_to_transmit(graph_, stage, inputs_.mapping);
      if (ends)
        check_complete(inputs_.mapping.stages[stage], progress);
      after_[stage] = std::move(progress);
    }
  }

 private:
  Progress before(std::size_t stage) const {
    Progress progress;
    bool is_first = true;
    for (auto [edge, end] = boost::in_edges(stage, graph_); edge != end; ++edge) {
      const Progress& from = after_[boost::source(*edge, graph_)];
      progress.done.insert(from.done.begin(), from.done.end());
      if (inputs_.mapping.stages[stage].inputs == QueueChoice::each) {
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
        std::any_of(inputs_.mapping.stages.begin(), inputs_.mapping.stages.end(),
                    [](const StageEntry& s) { return s.role == StageRole::program; });
    if (is_open)
      return;  // a hand-written program may do any task's work
    for (const TaskDeclaration& task : inputs_.manifest.tasks) {
      std::vector<unsigned> missing;
      const bool per_dimension = task.per == TaskDeclaration::Per::dimension;
      const std::size_t count = per_dimension ? inputs_.rules.fields().size() : 1;
      for (unsigned d = 0; d < count; ++d) {
        const CallKey key{task.name, per_dimension ? std::optional(d) : std::nullopt};
        if (!progress.done.contains(key))
          missing.push_back(d);
      }
      if (missing.empty())
        continue;
      const std::string what =
          per_dimension && missing.size() < count
              ? fmt::format("dimension{} {} of task '{}'", missing.size() == 1 ? "" : "s",
                            fmt::join(missing, ", "), task.name)
              : fmt::format("task '{}'", task.name);
      diagnostics_.error(
          stage.location,
          fmt::format("{} is missing: packets leave stage '{}' for transmission without "
                      "it",
                      what, stage.name));
    }
  }

  const StageGraph& graph_;
  const std::vector<std::vector<TaskCall>>& calls_;
  const ResolveInputs& inputs_;
  Diagnostics& diagnostics_;
  std::vector<Progress> after_;
  Elements placed_writes_;
};

Elements all_elements(const ResolveInputs& inputs) {
  Elements all;
  for (const MetadataDeclaration& metadata : inputs.manifest.metadata) {
    if (!metadata.per_dimension)
      all.insert({metadata.name, std::nullopt});
    const std::size_t dimensions = metadata.per_dimension ? inputs.rules.fields().size() : 0;
    for (unsigned d = 0; d < dimensions; ++d)
      all.insert({metadata.name, d});
  }
  return all;
}

// What a packet may bring to each stage. A hand-written program may have written anything.
std::vector<Elements> written_before_stages(const StageGraph& graph,
                                            const std::vector<std::size_t>& order,
                                            const std::vector<std::vector<TaskCall>>& calls,
                                            const ResolveInputs& inputs) {
  std::vector<Elements> before(calls.size());
  for (const std::size_t stage : order) {
    Elements behind = before[stage];
    for (const TaskCall& call : calls[stage])
      behind.insert(call.writes.begin(), call.writes.end());
    if (inputs.mapping.stages[stage].role == StageRole::program)
      behind = all_elements(inputs);
    for (auto [edge, end] = boost::out_edges(stage, graph); edge != end; ++edge) {
      before[boost::target(*edge, graph)].insert(behind.begin(), behind.end());
    }
  }
  return before;
}

// The manifest's order of metadata, then the dimension.
std::vector<MetadataElement> in_manifest_order(const Elements& elements, const Manifest& manifest) {
  std::vector<MetadataElement> sorted(elements.begin(), elements.end());
  const auto rank = [&](const MetadataElement& element) {
    return std::tuple(manifest.find_metadata(element.name), element.dimension);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return sorted;
}

}  // namespace

std::string to_string(const MetadataElement& element) {
  return element.dimension ? fmt::format("{}[{}]", element.name, *element.dimension) : element.name;
}

std::string to_string(const TaskCall& call) {
  return call.dimension ? fmt::format("{}[{}]", call.task, *call.dimension) : call.task;
}

bool leads_to_transmit(const StageGraph& graph, std::size_t stage, const MappingFile& mapping) {
  const auto [begin, end] = boost::out_edges(stage, graph);
  return std::any_of(begin, end, [&](const auto& edge) {
    return mapping.stages[boost::target(edge, graph)].role == StageRole::transmit;
  });
}

std::vector<TaskCall> unfold_calls(const StageEntry& stage, const Manifest& manifest,
                                   std::size_t dimensions, Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const TaskDeclaration& task : manifest.tasks)
    known.push_back(task.name);
  std::vector<TaskCall> calls;
  for (const TaskSelection& selection : stage.tasks) {
    const TaskDeclaration* task = manifest.find_task(selection.task);
    if (task == nullptr) {
      diagnostics.error(selection.location,
                        fmt::format("{} has no task '{}'; {}", manifest.algorithm, selection.task,
                                    suggestion(selection.task, known)));
    } else if (task->per == TaskDeclaration::Per::dimension) {
      for (const unsigned d : selected_dimensions(selection, dimensions, diagnostics)) {
        calls.push_back(make_call(*task, d, dimensions));
      }
    } else if (selection.dimensions) {
      diagnostics.error(
          selection.location,
          fmt::format("task '{}' runs once a packet: write it without [...]", task->name));
    } else {
      calls.push_back(make_call(*task, std::nullopt, dimensions));
    }
  }
  return calls;
}

void check_tasks(const StageGraph& graph, const std::vector<std::size_t>& order,
                 const std::vector<std::vector<TaskCall>>& calls, const ResolveInputs& inputs,
                 Diagnostics& diagnostics) {
  TaskChecker(graph, calls, inputs, diagnostics).check(order);
}

std::vector<std::vector<MetadataElement>> carried_into_stages(
    const StageGraph& graph, const std::vector<std::size_t>& order,
    const std::vector<std::vector<TaskCall>>& calls, const ResolveInputs& inputs) {
  std::vector<Elements> needed(calls.size());
  for (auto stage = order.rbegin(); stage != order.rend(); ++stage) {
    Elements& here = needed[*stage];
    for (auto [edge, end] = boost::out_edges(*stage, graph); edge != end; ++edge) {
      const Elements& later = needed[boost::target(*edge, graph)];
      here.insert(later.begin(), later.end());
    }
    if (leads_to_transmit(graph, *stage, inputs.mapping)) {
      here.insert({{kRuleMetadata, std::nullopt}, {kActionMetadata, std::nullopt}});
    }
    for (auto call = calls[*stage].rbegin(); call != calls[*stage].rend(); ++call) {
      for (const MetadataElement& write : call->writes)
        here.erase(write);
      here.insert(call->reads.begin(), call->reads.end());
    }
  }
  const std::vector<Elements> written = written_before_stages(graph, order, calls, inputs);
  std::vector<std::vector<MetadataElement>> carried;
  for (std::size_t stage = 0; stage < needed.size(); ++stage) {
    Elements both;
    std::set_intersection(needed[stage].begin(), needed[stage].end(), written[stage].begin(),
                          written[stage].end(), std::inserter(both, both.end()));
    carried.push_back(in_manifest_order(both, inputs.manifest));
  }
  return carried;
}

}  // namespace nplab::mappings
