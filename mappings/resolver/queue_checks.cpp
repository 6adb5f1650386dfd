#include "mappings/resolver/queue_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "mappings/resolver/port_order.h"

namespace nplab::mappings {
namespace {

bool is_written(const StageEntry& stage) {
  return stage.role == StageRole::kProgram;
}

void check_quantum(const QueueEntry& queue, const StageEntry& consumer, Diagnostics& diagnostics) {
  const Located<std::uint32_t>& quantum = queue.quantum;
  if (quantum.value > queue.entries.value) {
    diagnostics.error(quantum.location,
                      fmt::format("queue '{}' has {} entries, fewer than a quantum of {}",
                                  queue.name, queue.entries.value, quantum.value));
  }
  if (queue.release.value == QueueRelease::kEndOfPacket) {
    diagnostics.error(quantum.location,
                      fmt::format("queue '{}' gives entries back at the end of a packet; a "
                                  "quantum over 1 needs release: dequeue",
                                  queue.name));
  }
  if (consumer.role == StageRole::kProgram) {
    diagnostics.error(quantum.location,
                      fmt::format("stage '{}' is written by hand and takes one entry of queue "
                                  "'{}' at a time; write quantum: 1",
                                  consumer.name, queue.name));
  }
}

void check_release(const QueueEntry& queue, const StageEntry& consumer, Diagnostics& diagnostics) {
  const SourceLocation& at = queue.release.location;
  if (consumer.role == StageRole::kTransmit) {
    diagnostics.error(at, fmt::format("release: end_of_packet: queue '{}' leads to transmit, after "
                                      "the verdict that ends a packet's way; write dequeue",
                                      queue.name));
  }
}

// Entries wake the consumers of their ring in turn, and every ring's producers must know whom.
void check_signals(const LinkedMapping& linked, std::size_t index, Diagnostics& diagnostics) {
  const QueueEntry& queue = linked.mapping.queues[index];
  const auto& instances = linked.instances[index];
  const auto refuse = [&](const std::string& why) {
    diagnostics.error(queue.wait.location,
                      fmt::format("wait: signal: queue '{}' {}; write poll", queue.name, why));
  };
  if (queue.quantum.value > 1)
    refuse("has a quantum over 1: a thread may wait for an entry whose signal wakes another");
  if (queue.sync.value == QueueSync::kMemoryLock)
    refuse("has sync: memory_lock, whose code does not signal");
  if (instances.empty())
    return;
  for (const std::size_t stage : {linked.ends[index]->from, linked.ends[index]->to}) {
    if (is_written(linked.mapping.stages[stage]))
      refuse(fmt::format(
          "has stage '{}', which is written by hand and neither sends nor awaits signals",
          linked.mapping.stages[stage].name));
  }
  const std::size_t consumers = instances.front().consumers.size();
  if (!std::has_single_bit(consumers))
    refuse(fmt::format("has {} consumers for each ring, not a power of two", consumers));
  for (const QueueInstance& instance : instances) {
    if (consumers > 1 && instance.consumers != instances.front().consumers)
      return refuse("has rings with several consumers that differ from ring to ring");
  }
}

// A thread that sleeps does not look at its other queues.
void check_equal_waits(const LinkedMapping& linked, std::size_t index, Diagnostics& diagnostics) {
  const QueueEntry& queue = linked.mapping.queues[index];
  for (std::size_t other = 0; other < linked.mapping.queues.size(); ++other) {
    if (!linked.ends[other] || linked.ends[other]->to != linked.ends[index]->to)
      continue;
    const QueueEntry& beside = linked.mapping.queues[other];
    if (beside.wait.value != QueueWait::kSignal) {
      diagnostics.error(beside.wait.location,
                        fmt::format("stage '{}' waits for signals of queue '{}' and would miss "
                                    "entries of '{}'; write wait: signal for both",
                                    queue.to.value, queue.name, beside.name));
    }
  }
}

// Both kinds of sleep end by the same signal.
void check_condition(const LinkedMapping& linked, std::size_t index, Diagnostics& diagnostics) {
  const QueueEntry& queue = linked.mapping.queues[index];
  const auto& ends = *linked.ends[index];
  const auto releasing = queue.release.value == QueueRelease::kEndOfPacket
                             ? releasing_stage(linked, index)
                             : std::nullopt;
  for (std::size_t other = 0; other < linked.mapping.queues.size(); ++other) {
    const QueueEntry& beside = linked.mapping.queues[other];
    if (other == index || !linked.ends[other] || beside.wait.value != QueueWait::kSignal)
      continue;
    const std::size_t sleeper = linked.ends[other]->to;
    if (sleeper == ends.from || sleeper == ends.to || sleeper == releasing)
      diagnostics.error(
          beside.wait.location,
          fmt::format("wait: signal: stage '{}' also sleeps on the condition variable of queue "
                      "'{}' and would take one signal for the other; write wait: poll",
                      linked.mapping.stages[sleeper].name, queue.name));
  }
}

std::set<unsigned> engines_with(const std::vector<ThreadPlace>& threads) {
  std::set<unsigned> engines;
  for (const ThreadPlace& thread : threads)
    engines.insert(thread.engine);
  return engines;
}

// Only threads of one engine see its registers, and only generated code keeps a queue there.
void check_registers(const LinkedMapping& linked, std::size_t index, Diagnostics& diagnostics) {
  const QueueEntry& queue = linked.mapping.queues[index];
  const auto refuse = [&](const SourceLocation& at, const std::string& why) {
    diagnostics.error(at, fmt::format("memory: registers: queue '{}' {}", queue.name, why));
  };
  const auto& ends = *linked.ends[index];
  if (engines_with(linked.threads[ends.from]) != engines_with(linked.threads[ends.to]))
    refuse(queue.memory.location,
           fmt::format("joins stages '{}' and '{}', which do not run on the same engines; write "
                       "sram or scratch",
                       queue.from.value, queue.to.value));
  for (const std::size_t stage : {ends.from, ends.to}) {
    const StageEntry& entry = linked.mapping.stages[stage];
    if (entry.inputs == QueueChoice::kEach || entry.outputs == QueueChoice::kEach)
      refuse(
          queue.memory.location,
          fmt::format("leads to or from '{}', a fork or join; write sram or scratch", entry.name));
  }
  if (queue.release.value == QueueRelease::kEndOfPacket)
    refuse(queue.release.location, "gives entries back at the end of a packet; write dequeue");
  if (queue.quantum.value > 1)
    refuse(queue.quantum.location, "has a quantum over 1; write quantum: 1");
  if (queue.wait.value == QueueWait::kSignal)
    refuse(queue.wait.location, "has consumers that wait for signals; write poll");
  if (queue.order.value == QueueOrder::kPort)
    refuse(queue.order.location, "does not keep the order of ports; write sram or scratch");
  if (queue.sync.value == QueueSync::kMemoryLock)
    refuse(queue.sync.location, "has sync: memory_lock; write sync: auto");
}

}  // namespace

void check_queues(const LinkedMapping& linked, Diagnostics& diagnostics) {
  const auto& queues = linked.mapping.queues;
  const auto consumer_of = [&](std::size_t queue) -> const StageEntry& {
    return linked.mapping.stages[linked.ends[queue]->to];
  };
  for (std::size_t i = 0; i < queues.size(); ++i) {
    if (linked.ends[i] && queues[i].quantum.value > 1)
      check_quantum(queues[i], consumer_of(i), diagnostics);
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    if (!linked.ends[i] || queues[i].wait.value != QueueWait::kSignal)
      continue;
    check_signals(linked, i, diagnostics);
    check_equal_waits(linked, i, diagnostics);
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    if (linked.ends[i] && queues[i].in_registers)
      check_registers(linked, i, diagnostics);
    if (linked.ends[i] && queues[i].primitive.value == LockPrimitive::kCondition)
      check_condition(linked, i, diagnostics);
    else if (linked.ends[i] && queues[i].order.value == QueueOrder::kPort)
      check_port_order(linked, i, diagnostics);
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    if (linked.ends[i] && queues[i].release.value == QueueRelease::kEndOfPacket)
      check_release(queues[i], consumer_of(i), diagnostics);
  }
}

std::vector<QueueProtocol> protocols_of_queues(const LinkedMapping& linked,
                                               Diagnostics& diagnostics) {
  const MappingFile& mapping = linked.mapping;
  std::vector<QueueProtocol> protocols(mapping.queues.size());
  const auto inputs_of = [&](std::size_t stage) {
    return std::count_if(linked.ends.begin(), linked.ends.end(),
                         [&](const auto& ends) { return ends && ends->to == stage; });
  };
  for (std::size_t i = 0; i < protocols.size(); ++i) {
    const auto& ends = linked.ends[i];
    if (!ends)
      continue;
    QueueUsers users{.queue = mapping.queues[i],
                     .instances = linked.instances[i],
                     .has_written_program = is_written(mapping.stages[ends->from]) ||
                                            is_written(mapping.stages[ends->to]),
                     .is_only_input = inputs_of(ends->to) == 1,
                     .contexts = linked.chip.contexts,
                     .has_compare_and_swap = linked.chip.has_compare_and_swap};
    if (mapping.queues[i].release.value == QueueRelease::kEndOfPacket) {
      if (const auto stage = releasing_stage(linked, i)) {
        users.releasers = linked.threads[*stage];
        users.has_written_program = users.has_written_program || is_written(mapping.stages[*stage]);
      }
    }
    protocols[i] = derive_protocol(users, diagnostics);
  }
  return protocols;
}

namespace {

// The first queue that leads on from a stage.
std::optional<std::size_t> queue_from(const LinkedMapping& linked, std::size_t stage) {
  for (std::size_t i = 0; i < linked.ends.size(); ++i) {
    if (linked.ends[i] && linked.ends[i]->from == stage)
      return i;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> queues_until_release(const LinkedMapping& linked, std::size_t queue) {
  std::vector<std::size_t> queues;
  std::size_t stage = linked.ends.at(queue)->to;
  while (queues.size() < linked.mapping.stages.size() &&
         !leads_to_transmit(linked.graph, stage, linked.mapping)) {
    const auto next = queue_from(linked, stage);
    if (!next)
      return queues;
    queues.push_back(*next);
    stage = linked.ends[*next]->to;
  }
  return queues;
}

std::optional<std::size_t> releasing_stage(const LinkedMapping& linked, std::size_t queue) {
  const std::vector<std::size_t> way = queues_until_release(linked, queue);
  const std::size_t stage = linked.ends.at(way.empty() ? queue : way.back())->to;
  return leads_to_transmit(linked.graph, stage, linked.mapping) ? std::optional(stage)
                                                                : std::nullopt;
}

}  // namespace nplab::mappings
