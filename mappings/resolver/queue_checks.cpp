#include "mappings/resolver/queue_checks.h"

#include <fmt/format.h>

namespace nplab::mappings {
namespace {

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

// A stage counts up one ring, so there must be one only.
void check_release(const QueueEntry& queue, const StageEntry& consumer, std::size_t instances,
                   Diagnostics& diagnostics) {
  const SourceLocation& at = queue.release.location;
  if (consumer.role == StageRole::kTransmit) {
    diagnostics.error(
        at, fmt::format("release: end_of_packet: queue '{}' leads to transmit, behind the verdict "
                        "that ends a packet's way; write dequeue",
                        queue.name));
  } else if (instances > 1) {
    diagnostics.error(
        at, fmt::format("release: end_of_packet needs `per: shared`: queue '{}' has {} instances, "
                        "and a packet does not carry which it came through",
                        queue.name, instances));
  }
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
    if (linked.ends[i] && queues[i].release.value == QueueRelease::kEndOfPacket)
      check_release(queues[i], consumer_of(i), linked.instances[i].size(), diagnostics);
  }
}

std::optional<std::size_t> releasing_stage(const LinkedMapping& linked, std::size_t queue) {
  std::size_t stage = linked.ends.at(queue)->to;
  for (std::size_t steps = 0; steps < linked.mapping.stages.size(); ++steps) {
    if (leads_to_transmit(linked.graph, stage, linked.mapping))
      return stage;
    std::optional<LinkedMapping::QueueEnds> next;
    for (const auto& ends : linked.ends) {
      if (!next && ends && ends->from == stage)
        next = ends;
    }
    if (!next)
      return std::nullopt;
    stage = next->to;
  }
  return std::nullopt;
}

}  // namespace nplab::mappings
