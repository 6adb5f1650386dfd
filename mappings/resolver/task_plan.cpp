#include "mappings/resolver/task_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "mappings/resolver/linked_mapping.h"
#include "mappings/resolver/task_checks.h"

namespace nplab::mappings {
namespace {

using Elements = std::set<MetadataElement>;

void add_elements(const FieldReference& reference, std::optional<unsigned> dimension,
                  std::size_t dimensions, std::vector<MetadataElement>& elements) {
  switch (reference.selector) {
    case FieldReference::Selector::kScalar:
      elements.push_back({reference.name, std::nullopt});
      break;
    case FieldReference::Selector::kOwnDimension:
      elements.push_back({reference.name, dimension});
      break;
    case FieldReference::Selector::kAllDimensions:
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
    if (read.kind == FieldReference::Kind::kPacketLength)
      continue;  // it comes with the packet
    std::vector<MetadataElement> elements;
    add_elements(read, dimension, dimensions, elements);
    if (read.kind == FieldReference::Kind::kMetadata) {
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
  const auto chosen = selection.dimensions.value_or(TaskSelection::Dimensions{0, kOpenRange, true});
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

TaskCall::Part part_of(const std::string& task, const Manifest& manifest) {
  if (!manifest.front)
    return TaskCall::Part::kAlgorithm;
  if (task == manifest.front->lookup)
    return TaskCall::Part::kLookup;
  return task == manifest.front->keep ? TaskCall::Part::kKeep : TaskCall::Part::kAlgorithm;
}

// The calls of a stage: its selections, with those of a task per dimension unfolded. Dimensions
// that do not exist are reported; names that do not are left out (check_task_names reports them).
std::vector<TaskCall> unfold_calls(const StageEntry& stage, const Manifest& manifest,
                                   std::size_t dimensions, Diagnostics& diagnostics) {
  std::vector<TaskCall> calls;
  for (const TaskSelection& selection : stage.tasks) {
    const TaskDeclaration* task = manifest.find_task(selection.task);
    if (task == nullptr)
      continue;
    if (task->per == TaskDeclaration::Per::kDimension) {
      for (const unsigned d : selected_dimensions(selection, dimensions, diagnostics))
        calls.push_back(make_call(*task, d, dimensions));
    } else if (!selection.dimensions) {
      calls.push_back(make_call(*task, std::nullopt, dimensions));
    }
  }
  for (TaskCall& call : calls)
    call.part = part_of(call.task, manifest);
  return calls;
}

Elements all_elements(const Manifest& manifest, std::size_t dimensions) {
  Elements all;
  for (const MetadataDeclaration& metadata : manifest.metadata) {
    if (!metadata.per_dimension)
      all.insert({metadata.name, std::nullopt});
    const std::size_t count = metadata.per_dimension ? dimensions : 0;
    for (unsigned d = 0; d < count; ++d)
      all.insert({metadata.name, d});
  }
  return all;
}

// What a packet may bring to each stage. A hand-written program may have written anything.
std::vector<Elements> written_before_stages(const LinkedMapping& linked, const StageCalls& calls,
                                            std::size_t dimensions) {
  std::vector<Elements> before(calls.size());
  for (const std::size_t stage : *linked.order) {
    Elements behind = before[stage];
    for (const TaskCall& call : calls[stage])
      behind.insert(call.writes.begin(), call.writes.end());
    if (linked.mapping.stages[stage].role == StageRole::kProgram)
      behind = all_elements(linked.manifest, dimensions);
    for (auto [edge, end] = boost::out_edges(stage, linked.graph); edge != end; ++edge) {
      before[boost::target(*edge, linked.graph)].insert(behind.begin(), behind.end());
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

// After a front the algorithm's calls may not run, and a verdict that is known goes on as it is.
bool may_be_skipped(const Manifest& manifest, const TaskCall& call, const MetadataElement& write) {
  return manifest.front && call.part == TaskCall::Part::kAlgorithm &&
         (write.name == kRuleMetadata || write.name == kActionMetadata);
}

// What each stage or one after it reads before it is written.
std::vector<Elements> needed_by_stages(const LinkedMapping& linked, const StageCalls& calls) {
  std::vector<Elements> needed(calls.size());
  for (auto stage = linked.order->rbegin(); stage != linked.order->rend(); ++stage) {
    Elements& here = needed[*stage];
    for (auto [edge, end] = boost::out_edges(*stage, linked.graph); edge != end; ++edge) {
      const Elements& later = needed[boost::target(*edge, linked.graph)];
      here.insert(later.begin(), later.end());
    }
    if (leads_to_transmit(linked.graph, *stage, linked.mapping))
      here.insert({{kRuleMetadata, std::nullopt}, {kActionMetadata, std::nullopt}});
    for (auto call = calls[*stage].rbegin(); call != calls[*stage].rend(); ++call) {
      for (const MetadataElement& write : call->writes) {
        if (!may_be_skipped(linked.manifest, *call, write))
          here.erase(write);
      }
      here.insert(call->reads.begin(), call->reads.end());
    }
  }
  return needed;
}

// The metadata that each stage needs of the packets that come to it: written before, read there or
// later and not written in between. By traversal of the graph; each in the manifest's order.
std::vector<std::vector<MetadataElement>> carried_into_stages(const LinkedMapping& linked,
                                                              const StageCalls& calls,
                                                              std::size_t dimensions) {
  const std::vector<Elements> needed = needed_by_stages(linked, calls);
  const std::vector<Elements> written = written_before_stages(linked, calls, dimensions);
  std::vector<std::vector<MetadataElement>> carried;
  for (std::size_t stage = 0; stage < needed.size(); ++stage) {
    Elements both;
    std::set_intersection(needed[stage].begin(), needed[stage].end(), written[stage].begin(),
                          written[stage].end(), std::inserter(both, both.end()));
    carried.push_back(in_manifest_order(both, linked.manifest));
  }
  return carried;
}

// Who wrote a value last before a stage.
struct Writer {
  std::size_t position = 0;  // of its stage in the order of stages
  bool decides = false;      // by 0 that no rule matches
};
using Writers = std::map<MetadataElement, Writer>;

// Branches write different metadata (check_fork_tasks): of two writers the one further behind in
// the order of stages wrote last.
void add_writers(const Writers& more, Writers& writers) {
  for (const auto& [element, writer] : more) {
    const auto [known, is_new] = writers.emplace(element, writer);
    if (!is_new && known->second.position < writer.position)
      known->second = writer;
  }
}

// A hand-written program decides as the tasks in whose place it stands.
void add_program(const std::vector<MetadataElement>& decisive, std::size_t position,
                 Writers& writers) {
  for (const MetadataElement& element : decisive)
    writers[element] = {position, true};
}

std::vector<std::vector<MetadataElement>> decisive_in_stages(
    const LinkedMapping& linked, const StageCalls& calls,
    const std::vector<std::vector<MetadataElement>>& carried) {
  std::vector<MetadataElement> deciding;
  for (const auto& stage : calls)
    for (const TaskCall& call : stage)
      if (call.leave_when_zero)
        deciding.push_back(*call.leave_when_zero);
  std::vector<std::vector<MetadataElement>> decisive(calls.size());
  std::vector<Writers> before(calls.size());
  for (std::size_t position = 0; position < linked.order->size(); ++position) {
    const std::size_t stage = (*linked.order)[position];
    Writers behind = before[stage];
    for (const MetadataElement& element : carried[stage])
      if (const auto writer = behind.find(element);
          writer != behind.end() && writer->second.decides)
        decisive[stage].push_back(element);
    for (const TaskCall& call : calls[stage])
      for (const MetadataElement& element : call.writes)
        behind[element] = {position, call.leave_when_zero == element};
    if (linked.mapping.stages[stage].role == StageRole::kProgram)
      add_program(deciding, position, behind);
    for (auto [edge, end] = boost::out_edges(stage, linked.graph); edge != end; ++edge)
      add_writers(behind, before[boost::target(*edge, linked.graph)]);
  }
  return decisive;
}

}  // namespace

TaskPlan plan_tasks(const LinkedMapping& linked, std::size_t dimensions, Diagnostics& diagnostics) {
  TaskPlan plan;
  for (const StageEntry& stage : linked.mapping.stages)
    plan.calls.push_back(unfold_calls(stage, linked.manifest, dimensions, diagnostics));
  plan.carried.resize(plan.calls.size());
  plan.decisive.resize(plan.calls.size());
  if (!linked.order)
    return plan;
  if (linked.is_whole())
    check_tasks(linked, plan.calls, dimensions, diagnostics);
  plan.carried = carried_into_stages(linked, plan.calls, dimensions);
  plan.decisive = decisive_in_stages(linked, plan.calls, plan.carried);
  check_fork_tasks(linked.forks, linked.mapping, plan.calls, diagnostics);
  return plan;
}

}  // namespace nplab::mappings
