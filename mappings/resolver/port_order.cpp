#include "mappings/resolver/port_order.h"

#include <fmt/format.h>

#include <algorithm>

namespace nplab::mappings {
namespace {

constexpr std::size_t kMostPorts = 16;  // a number has 4 bits for its port

// The queue by which packets come to a stage, where there is one alone.
std::optional<std::size_t> only_queue_to(const LinkedMapping& linked, std::size_t stage) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < linked.ends.size(); ++i) {
    if (!linked.ends[i] || linked.ends[i]->to != stage)
      continue;
    if (found)
      return std::nullopt;
    found = i;
  }
  return found;
}

void check_keys(const QueueEntry& queue, Diagnostics& diagnostics) {
  const auto refuse = [&](const SourceLocation& at, const std::string& what,
                          const std::string& instead) {
    diagnostics.error(
        at, fmt::format("order: port: queue '{}' {}; write {}", queue.name, what, instead));
  };
  if (queue.release.value == QueueRelease::kEndOfPacket)
    refuse(queue.release.location, "gives entries back at the end of a packet", "release: dequeue");
  if (queue.quantum.value > 1)
    refuse(queue.quantum.location, "has a quantum over 1", "quantum: 1");
  if (queue.wait.value == QueueWait::kSignal)
    refuse(queue.wait.location, "has consumers that wait for signals", "wait: poll");
  if (queue.sync.value == QueueSync::kMemoryLock)
    refuse(queue.sync.location, "has sync: memory_lock, whose rings have one tail", "sync: auto");
}

// Of a stage on the way, receive and the queue's two ends included.
void check_stage(const LinkedMapping& linked, std::size_t stage, const QueueEntry& queue,
                 Diagnostics& diagnostics) {
  const StageEntry& entry = linked.mapping.stages[stage];
  if (entry.role == StageRole::kProgram) {
    diagnostics.error(queue.order.location,
                      fmt::format("order: port: stage '{}' on the way to queue '{}' is written by "
                                  "hand and does not pass packets' numbers on",
                                  entry.name, queue.name));
  }
  if (entry.inputs == QueueChoice::kEach || entry.outputs == QueueChoice::kEach) {
    diagnostics.error(queue.order.location,
                      fmt::format("order: port: stage '{}' on the way to queue '{}' is a fork or a "
                                  "join; write order: none",
                                  entry.name, queue.name));
  }
}

void check_sizes(const LinkedMapping& linked, std::size_t index, std::size_t receive,
                 Diagnostics& diagnostics) {
  const QueueEntry& queue = linked.mapping.queues[index];
  const std::size_t ports = linked.threads[receive].size();
  const std::size_t consumers = linked.threads[linked.ends[index]->to].size();
  if (ports > kMostPorts) {
    diagnostics.error(queue.order.location,
                      fmt::format("order: port: queue '{}' has room for the numbers of {} ports, "
                                  "and {} threads receive",
                                  queue.name, kMostPorts, ports));
  }
  if (consumers > ports) {
    diagnostics.error(
        queue.order.location,
        fmt::format("order: port: queue '{}' has a ring for each of {} receive threads, and stage "
                    "'{}' has {} threads: {} would have none",
                    queue.name, ports, queue.to.value, consumers, consumers - ports));
  }
}

}  // namespace

std::vector<QueueInstance> wire_ports(std::size_t ports, const std::vector<ThreadPlace>& producers,
                                      const std::vector<ThreadPlace>& consumers) {
  std::vector<QueueInstance> rings;
  for (std::size_t port = 0; port < ports && !consumers.empty(); ++port)
    rings.push_back({0, producers, {consumers[port * consumers.size() / ports]}});
  return rings;
}

std::optional<std::size_t> receive_stage(const MappingFile& mapping) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < mapping.stages.size(); ++i) {
    if (mapping.stages[i].role != StageRole::kReceive)
      continue;
    if (found)
      return std::nullopt;
    found = i;
  }
  return found;
}

std::vector<std::size_t> queues_from_receive(const LinkedMapping& linked, std::size_t queue) {
  std::vector<std::size_t> way;
  std::size_t stage = linked.ends.at(queue)->from;
  while (way.size() < linked.ends.size()) {
    const auto before = only_queue_to(linked, stage);
    if (!before)
      break;
    way.push_back(*before);
    stage = linked.ends[*before]->from;
  }
  std::reverse(way.begin(), way.end());
  return way;
}

void check_port_order(const LinkedMapping& linked, std::size_t index, Diagnostics& diagnostics) {
  const QueueEntry& queue = linked.mapping.queues[index];
  const auto receive = receive_stage(linked.mapping);
  const auto way = queues_from_receive(linked, index);
  const std::size_t first = way.empty() ? linked.ends[index]->from : linked.ends[way.front()]->from;
  check_keys(queue, diagnostics);
  if (!receive || first != *receive) {
    diagnostics.error(queue.order.location,
                      fmt::format("order: port: packets must come to queue '{}' from one receive "
                                  "stage and by one way",
                                  queue.name));
    return;
  }
  check_stage(linked, *receive, queue, diagnostics);
  for (const std::size_t before : way) {
    check_stage(linked, linked.ends[before]->to, queue, diagnostics);
    if (before == way.front() || linked.mapping.queues[before].full == WhenFull::kWait)
      continue;
    diagnostics.error(queue.order.location,
                      fmt::format("order: port: queue '{}' on the way to queue '{}' drops packets "
                                  "that have their numbers; write full: wait there",
                                  linked.mapping.queues[before].name, queue.name));
  }
  check_stage(linked, linked.ends[index]->to, queue, diagnostics);
  check_sizes(linked, index, *receive, diagnostics);
}

}  // namespace nplab::mappings
