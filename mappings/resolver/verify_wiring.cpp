// Do stages, threads, queues and metadata fit together?
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "mappings/resolver/verify_parts.h"

namespace nplab::mappings {
namespace {

std::string name_of(const ThreadPlace& thread) {
  return fmt::format("thread {}.{}", thread.engine, thread.context);
}

template <typename T>
bool contains(const std::vector<T>& items, const T& item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}

// One side of a queue: its rings' threads are those of the stage, and each of these has a ring.
void check_side(const Queue& queue, const Stage& stage, const char* side,
                std::vector<ThreadPlace> QueueInstance::* threads, Findings& findings) {
  std::set<ThreadPlace> served;
  for (std::size_t i = 0; i < queue.instances.size(); ++i) {
    const auto& users = queue.instances[i].*threads;
    if (users.empty())
      findings.push_back(fmt::format("ring {} of queue {} has no {}", i, queue.name, side));
    for (const ThreadPlace& thread : users) {
      served.insert(thread);
      if (!contains(stage.threads, thread)) {
        findings.push_back(fmt::format("{} is a {} of queue {} and does not run stage {}",
                                       name_of(thread), side, queue.name, stage.name));
      }
    }
  }
  for (const ThreadPlace& thread : stage.threads) {
    if (!served.contains(thread)) {
      findings.push_back(fmt::format("{} of stage {} is a {} of no ring of queue {}",
                                     name_of(thread), stage.name, side, queue.name));
    }
  }
}

// One side of a ring: what keeps its threads apart is enough for them, and they share the count.
void check_side_protocol(const Queue& queue, std::size_t ring, const char* name,
                         const QueueSide& side, const std::vector<ThreadPlace>& threads,
                         Findings& findings) {
  std::set<unsigned> engines;
  for (const ThreadPlace& thread : threads)
    engines.insert(thread.engine);
  const bool is_apart = threads.size() <= 1 ||
                        (engines.size() == 1 && side.exclusion == Exclusion::kEngine) ||
                        side.exclusion == Exclusion::kMemoryLock;
  if (!is_apart) {
    findings.push_back(fmt::format("nothing keeps the {} {}s of ring {} of queue {} apart",
                                   threads.size(), name, ring, queue.name));
  }
  const bool is_shared = side.count == CountPlace::kMemory ||
                         (side.count == CountPlace::kEngine && engines.size() <= 1) ||
                         (side.count == CountPlace::kThread && threads.size() <= 1);
  if (!is_shared) {
    findings.push_back(fmt::format("the {} {}s of ring {} of queue {} do not share a count",
                                   threads.size(), name, ring, queue.name));
  }
}

// A claim is a register of the threads of one engine, for entries that say that they are there.
void check_claims(const Queue& queue, Findings& findings) {
  const QueueProtocol& protocol = queue.protocol;
  if (protocol.taking == Taking::kClaims &&
      (protocol.shape != RingShape::kLapBit || protocol.consumers.count != CountPlace::kEngine ||
       queue.wait == QueueWait::kSignal ||
       std::any_of(queue.instances.begin(), queue.instances.end(), [&](const QueueInstance& ring) {
         return ring.consumers.size() > queue.entries;
       })))
    findings.push_back(fmt::format("consumers of queue {} cannot claim entries", queue.name));
}

// Slots that packets' numbers name keep producers apart; the ring has one consumer, and what it
// gives back must have been read.
void check_numbered_ring(const Queue& queue, std::size_t ring, Findings& findings) {
  if (queue.instances[ring].consumers.size() != 1 || queue.release == QueueRelease::kEndOfPacket ||
      queue.quantum > 1) {
    findings.push_back(
        fmt::format("ring {} of queue {} does not keep the order of its port", ring, queue.name));
  }
}

// A ring in registers is seen by the threads of one engine.
void check_register_ring(const Queue& queue, std::size_t ring, Findings& findings) {
  std::set<unsigned> engines;
  for (const auto* threads : {&queue.instances[ring].producers, &queue.instances[ring].consumers}) {
    for (const ThreadPlace& thread : *threads)
      engines.insert(thread.engine);
  }
  if (engines.size() > 1)
    findings.push_back(fmt::format("ring {} of queue {} is in registers of {} engines", ring,
                                   queue.name, engines.size()));
}

// A count in a register is one ring's: that of an engine serves all that its threads use.
void check_protocol(const Queue& queue, Findings& findings) {
  check_claims(queue, findings);
  for (std::size_t i = 0; i < queue.instances.size(); ++i) {
    const QueueInstance& ring = queue.instances[i];
    if (queue.in_registers())
      check_register_ring(queue, i, findings);
    if (queue.protocol.shape == RingShape::kSequence)
      check_numbered_ring(queue, i, findings);
    else
      check_side_protocol(queue, i, "producer", queue.protocol.producers, ring.producers, findings);
    check_side_protocol(queue, i, "consumer", queue.protocol.consumers, ring.consumers, findings);
  }
  const std::pair<const QueueSide*, std::vector<ThreadPlace> QueueInstance::*> sides[] = {
      {&queue.protocol.producers, &QueueInstance::producers},
      {&queue.protocol.consumers, &QueueInstance::consumers}};
  for (const auto& [side, threads] : sides) {
    if (side->count != CountPlace::kEngine)
      continue;
    std::map<unsigned, std::set<std::size_t>> rings;
    for (std::size_t i = 0; i < queue.instances.size(); ++i) {
      for (const ThreadPlace& thread : queue.instances[i].*threads)
        rings[thread.engine].insert(i);
    }
    for (const auto& [engine, used] : rings) {
      if (used.size() > 1)
        findings.push_back(fmt::format("engine {} keeps one count for {} rings of queue {}", engine,
                                       used.size(), queue.name));
    }
  }
}

// Which stages list the queue among those that `list` names.
std::vector<std::size_t> listed_by(const Placement& placement, std::size_t queue,
                                   std::vector<std::size_t> Stage::* list) {
  std::vector<std::size_t> stages;
  for (std::size_t i = 0; i < placement.stages.size(); ++i) {
    const auto& queues = placement.stages[i].*list;
    stages.insert(stages.end(), std::count(queues.begin(), queues.end(), queue), i);
  }
  return stages;
}

void check_queue(const Placement& placement, std::size_t index,
                 const std::map<std::size_t, std::size_t>& rank, Findings& findings) {
  const Queue& queue = placement.queues[index];
  if (!rank.contains(queue.from) || !rank.contains(queue.to)) {
    findings.push_back(fmt::format("queue {} does not join two stages", queue.name));
    return;
  }
  if (rank.at(queue.from) >= rank.at(queue.to))
    findings.push_back(fmt::format("queue {} does not lead forwards", queue.name));
  using Stages = std::vector<std::size_t>;
  if (listed_by(placement, index, &Stage::outputs) != Stages{queue.from} ||
      listed_by(placement, index, &Stage::inputs) != Stages{queue.to}) {
    findings.push_back(fmt::format("queue {} is not the one output of stage {} and input of {}",
                                   queue.name, placement.stages[queue.from].name,
                                   placement.stages[queue.to].name));
  }
  if (queue.instances.empty())
    findings.push_back(fmt::format("queue {} has no ring", queue.name));
  check_side(queue, placement.stages[queue.from], "producer", &QueueInstance::producers, findings);
  check_side(queue, placement.stages[queue.to], "consumer", &QueueInstance::consumers, findings);
  check_protocol(queue, findings);
  const auto numbering = listed_by(placement, index, &Stage::orders);
  const bool is_numbered = queue.protocol.shape == RingShape::kSequence;
  if (numbering.size() != (is_numbered ? 1 : 0) ||
      (is_numbered &&
       placement.stages[numbering.front()].threads.size() != queue.instances.size())) {
    findings.push_back(fmt::format("the packets of queue {} are numbered by {} stages for {} rings",
                                   queue.name, numbering.size(), queue.instances.size()));
  }
  const bool is_released = queue.release == QueueRelease::kEndOfPacket;
  const auto releasing = listed_by(placement, index, &Stage::releases);
  if (releasing.size() != (is_released ? 1 : 0)) {
    findings.push_back(fmt::format("the entries of queue {} are released by {} stages", queue.name,
                                   releasing.size()));
  }
}

void check_ends(const Stage& stage, std::size_t queues, Findings& findings) {
  const bool takes = stage.role != StageRole::kReceive;
  const bool gives = stage.role != StageRole::kTransmit;
  if (stage.inputs.empty() == takes)
    findings.push_back(
        fmt::format("stage {} has {} input queues", stage.name, stage.inputs.size()));
  if (stage.outputs.empty() == gives)
    findings.push_back(
        fmt::format("stage {} has {} output queues", stage.name, stage.outputs.size()));
  for (const auto* list : {&stage.inputs, &stage.outputs, &stage.orders, &stage.releases}) {
    for (const std::size_t queue : *list) {
      if (queue >= queues)
        findings.push_back(fmt::format("stage {} names queue {} of {}", stage.name, queue, queues));
    }
  }
}

using Elements = std::set<MetadataElement>;

// What packets bring to a stage: of a join from every queue together, otherwise from whichever one
// they come through.
Elements brought_to(const Placement& placement, const Stage& stage) {
  Elements brought;
  bool is_first = true;
  for (const std::size_t index : stage.inputs) {
    const auto& carried = placement.queues[index].carried;
    Elements here(carried.begin(), carried.end());
    if (const auto ring = placement.queues[index].carried_ring())
      here.insert(*ring);
    if (is_first || stage.joins)
      brought.insert(here.begin(), here.end());
    else
      std::erase_if(brought, [&](const MetadataElement& one) { return !here.contains(one); });
    is_first = false;
  }
  return brought;
}

void check_known(const std::vector<MetadataElement>& wanted, const Elements& known,
                 const std::string& who, Findings& findings) {
  for (const MetadataElement& element : wanted) {
    if (!known.contains(element))
      findings.push_back(
          fmt::format("{} needs {}, which is not written before", who, to_string(element)));
  }
}

void check_stage_metadata(const Placement& placement, const Stage& stage, Findings& findings) {
  Elements known = brought_to(placement, stage);
  check_known(stage.leave_when_zero, known, "stage " + stage.name, findings);
  for (const TaskCall& call : stage.calls) {
    check_known(call.reads, known, "task " + to_string(call), findings);
    known.insert(call.writes.begin(), call.writes.end());
    if (call.leave_when_zero)
      check_known({*call.leave_when_zero}, known, "task " + to_string(call), findings);
  }
  if (stage.role == StageRole::kProgram)
    return;  // may write anything
  for (const std::size_t index : stage.orders)
    known.insert(placement.queues[index].carried_order().value());
  for (const std::size_t index : stage.outputs) {
    const Queue& queue = placement.queues[index];
    check_known(queue.carried, known, "queue " + queue.name, findings);
    if (const auto order = queue.carried_order())
      check_known({*order}, known, "queue " + queue.name, findings);
  }
}

}  // namespace

void verify_threads(const Placement& placement, Findings& findings) {
  std::map<ThreadPlace, std::string> users;
  for (const Stage& stage : placement.stages) {
    if (stage.threads.empty())
      findings.push_back(fmt::format("stage {} has no thread", stage.name));
    for (const ThreadPlace& thread : stage.threads) {
      if (thread.engine >= placement.engines || thread.context >= placement.contexts)
        findings.push_back(fmt::format("stage {} runs on {}, which {} does not have", stage.name,
                                       name_of(thread), placement.chip));
      const auto [user, is_new] = users.emplace(thread, stage.name);
      if (!is_new)
        findings.push_back(fmt::format("{} runs stage {} and stage {}", name_of(thread),
                                       user->second, stage.name));
    }
  }
}

void verify_queues(const Placement& placement, Findings& findings) {
  std::map<std::size_t, std::size_t> rank;  // of each stage in the order of stages
  for (const std::size_t stage : placement.stage_order)
    rank.emplace(stage, rank.size());
  const bool has_all = rank.size() == placement.stages.size() &&
                       placement.stage_order.size() == rank.size() &&
                       (rank.empty() || rank.rbegin()->first + 1 == rank.size());
  if (!has_all) {
    findings.push_back("the order of stages does not name every stage once");
    return;
  }
  for (const Stage& stage : placement.stages)
    check_ends(stage, placement.queues.size(), findings);
  for (std::size_t i = 0; i < placement.queues.size(); ++i)
    check_queue(placement, i, rank, findings);
}

void verify_metadata(const Placement& placement, Findings& findings) {
  for (const Stage& stage : placement.stages)
    check_stage_metadata(placement, stage, findings);
}

}  // namespace nplab::mappings
