#include "mappings/resolver/placed_parts.h"

#include <algorithm>
#include <set>

#include "mappings/files/tuning.h"
#include "mappings/resolver/fork_join.h"
#include "mappings/resolver/linked_mapping.h"
#include "mappings/resolver/port_order.h"
#include "mappings/resolver/queue_checks.h"

namespace nplab::mappings {
namespace {

std::vector<unsigned> fields_read_by(const std::vector<TaskCall>& calls) {
  std::set<unsigned> fields;
  for (const TaskCall& call : calls)
    fields.insert(call.packet_fields.begin(), call.packet_fields.end());
  return {fields.begin(), fields.end()};
}

Stage make_stage(const LinkedMapping& linked, std::size_t index,
                 const std::vector<TaskCall>& calls) {
  const StageEntry& entry = linked.mapping.stages[index];
  Stage stage;
  stage.name = entry.name;
  stage.role = entry.role;
  stage.threads = linked.threads[index];
  stage.calls = calls;
  stage.program = entry.program;
  stage.packet_fields = fields_read_by(calls);
  stage.gives_verdict = leads_to_transmit(linked.graph, index, linked.mapping);
  stage.joins = entry.inputs == QueueChoice::kEach;
  for (auto [edge, end] = boost::in_edges(index, linked.graph); edge != end; ++edge)
    stage.inputs.push_back(linked.graph[*edge].queue);
  for (auto [edge, end] = boost::out_edges(index, linked.graph); edge != end; ++edge)
    stage.outputs.push_back(linked.graph[*edge].queue);
  std::sort(stage.outputs.begin(), stage.outputs.end());
  if (stage.joins)
    std::sort(stage.inputs.begin(), stage.inputs.end());
  return stage;
}

std::optional<MetadataElement> answered_element(const LinkedMapping& linked,
                                                const std::vector<MetadataElement>& carried,
                                                const std::vector<TaskCall>& calls) {
  if (!linked.manifest.front)
    return std::nullopt;
  const MetadataElement answered{linked.manifest.front->answered, std::nullopt};
  const bool is_carried = std::find(carried.begin(), carried.end(), answered) != carried.end();
  const bool is_written = std::any_of(calls.begin(), calls.end(), [](const TaskCall& call) {
    return call.part == TaskCall::Part::kLookup;
  });
  return is_carried || is_written ? std::optional(answered) : std::nullopt;
}

void add_releases(const LinkedMapping& linked, std::vector<Stage>& stages) {
  for (std::size_t i = 0; i < linked.mapping.queues.size(); ++i) {
    if (!linked.ends[i] || linked.mapping.queues[i].release.value != QueueRelease::kEndOfPacket)
      continue;
    if (const auto stage = releasing_stage(linked, i))
      stages[*stage].releases.push_back(i);
  }
}

void add_orders(const LinkedMapping& linked, std::vector<Stage>& stages) {
  const auto receive = receive_stage(linked.mapping);
  for (std::size_t i = 0; receive && i < linked.mapping.queues.size(); ++i) {
    if (linked.ends[i] && linked.mapping.queues[i].order.value == QueueOrder::kPort)
      stages[*receive].orders.push_back(i);
  }
}

Queue make_queue(const QueueEntry& entry) {
  Queue queue;
  queue.name = entry.name;
  queue.per = entry.per;
  queue.route = entry.route;
  queue.memory = entry.memory.value;
  queue.entries = entry.entries.value;
  queue.entry_longwords = kPacketHandleLongwords;
  queue.full = entry.full;
  queue.release = entry.release.value;
  queue.wait = entry.wait.value;
  queue.poll_cycles = entry.poll_cycles;
  queue.quantum = entry.quantum.value;
  return queue;
}

std::vector<MetadataElement> carried_by(const LinkedMapping& linked, const TaskPlan& plan,
                                        std::size_t queue, std::size_t to) {
  for (const Fork& fork : linked.forks) {
    if (fork.join == to)
      return carried_by_branch(fork, queue, plan.calls, plan.carried[to]);
  }
  return plan.carried[to];
}

void fit_entries(Queue& queue) {
  queue.entry_longwords += static_cast<std::uint32_t>(queue.carried.size());
  queue.protocol = fit_protocol(queue.protocol, queue.entry_longwords);
}

// Packets take along through which ring they came where its entry is free again at their end.
void carry_rings(const LinkedMapping& linked, std::vector<Queue>& queues) {
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const auto ring = queues[i].carried_ring();
    if (!ring || !linked.ends[i])
      continue;
    for (const std::size_t behind : queues_until_release(linked, i))
      queues[behind].carried.push_back(*ring);
  }
}

// Packets take their numbers along to a queue that keeps the order of ports.
void carry_orders(const LinkedMapping& linked, std::vector<Queue>& queues) {
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const auto order = queues[i].carried_order();
    if (!order || !linked.ends[i])
      continue;
    for (const std::size_t before : queues_from_receive(linked, i))
      queues[before].carried.push_back(*order);
  }
}

}  // namespace

std::vector<Stage> make_stages(const LinkedMapping& linked, const TaskPlan& plan) {
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < linked.mapping.stages.size(); ++i) {
    Stage stage = make_stage(linked, i, plan.calls[i]);
    stage.leave_when_zero = plan.decisive[i];
    stage.answered = answered_element(linked, plan.carried[i], plan.calls[i]);
    stages.push_back(std::move(stage));
  }
  add_releases(linked, stages);
  add_orders(linked, stages);
  return stages;
}

std::vector<Queue> make_queues(const LinkedMapping& linked, const TaskPlan& plan) {
  std::vector<Queue> queues;
  for (std::size_t i = 0; i < linked.mapping.queues.size(); ++i) {
    Queue queue = make_queue(linked.mapping.queues[i]);
    if (const auto& ends = linked.ends[i]) {
      queue.from = ends->from;
      queue.to = ends->to;
      queue.carried = carried_by(linked, plan, i, ends->to);
      queue.instances = linked.instances[i];
      queue.protocol = linked.protocols[i];
    }
    queues.push_back(std::move(queue));
  }
  carry_rings(linked, queues);
  carry_orders(linked, queues);
  for (Queue& queue : queues)
    fit_entries(queue);
  return queues;
}

std::vector<TuningValue> tuning_values(const MappingFile& mapping) {
  std::vector<TuningValue> values;
  for (const TuningKey& key : tuning_keys()) {
    const auto chosen = mapping.tuning.find(key.name);
    if (chosen == mapping.tuning.end()) {
      values.push_back({key.name, key.default_value, ""});
    } else {
      values.push_back({key.name, chosen->second.value, chosen->second.reason});
    }
  }
  return values;
}

}  // namespace nplab::mappings
