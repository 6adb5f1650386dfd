#include "mappings/resolver/queue_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {
namespace {

using Users = std::vector<ThreadPlace> QueueInstance::*;

Exclusion exclusion_among(const std::vector<ThreadPlace>& threads) {
  if (threads.size() <= 1)
    return Exclusion::kNone;
  return engines_of(threads).size() == 1 ? Exclusion::kEngine : Exclusion::kMemoryLock;
}

bool shares_engine(const std::vector<ThreadPlace>& threads) {
  return engines_of(threads).size() < threads.size();
}

// How many rings each thread of the side uses.
std::map<ThreadPlace, unsigned> rings_of_threads(const std::vector<QueueInstance>& instances,
                                                 Users users) {
  std::map<ThreadPlace, unsigned> rings;
  for (const QueueInstance& instance : instances) {
    for (const ThreadPlace& thread : instance.*users)
      ++rings[thread];
  }
  return rings;
}

CountPlace place_of_count(const QueueSide& side, bool all_have_as_many, std::uint32_t entries) {
  const bool fits =
      side.rings == 1 || (side.rings <= kMostRingsInRegisters && entries <= kMostPackedEntries);
  switch (side.exclusion) {
    case Exclusion::kNone:
      return fits && all_have_as_many ? CountPlace::kThread : CountPlace::kMemory;
    case Exclusion::kEngine: return side.rings == 1 ? CountPlace::kEngine : CountPlace::kMemory;
    case Exclusion::kMemoryLock: break;
  }
  return CountPlace::kMemory;
}

QueueSide derive_side(const std::vector<QueueInstance>& instances, Users users,
                      std::uint32_t entries) {
  QueueSide side;
  for (const QueueInstance& instance : instances) {
    side.exclusion = std::max(side.exclusion, exclusion_among(instance.*users));
    side.shares_engine = side.shares_engine || shares_engine(instance.*users);
  }
  unsigned fewest = ~0U;
  for (const auto& [thread, rings] : rings_of_threads(instances, users)) {
    side.rings = std::max(side.rings, rings);
    fewest = std::min(fewest, rings);
  }
  side.count = place_of_count(side, fewest == side.rings, entries);
  return side;
}

// Any thread of the last stage may end a packet of any ring.
QueueSide derive_releasers(const std::vector<ThreadPlace>& threads, std::size_t rings) {
  QueueSide side{.exclusion = exclusion_among(threads),
                 .count = CountPlace::kMemory,
                 .shares_engine = shares_engine(threads),
                 .rings = static_cast<unsigned>(rings)};
  if (side.exclusion != Exclusion::kMemoryLock && rings == 1)
    side.count = CountPlace::kEngine;
  return side;
}

const char* describe(Exclusion exclusion) {
  switch (exclusion) {
    case Exclusion::kNone: return "one thread";
    case Exclusion::kEngine: return "several threads of one engine";
    case Exclusion::kMemoryLock: break;
  }
  return "threads of several engines";
}

// `sync: none` and `sync: engine` say what the user believes to be enough.
void check_sync(const QueueUsers& users, const QueueProtocol& protocol, Diagnostics& diagnostics) {
  const QueueEntry& queue = users.queue;
  if (queue.sync.value != QueueSync::kNone && queue.sync.value != QueueSync::kEngine)
    return;
  const Exclusion most =
      queue.sync.value == QueueSync::kNone ? Exclusion::kNone : Exclusion::kEngine;
  for (const auto& [side, name] :
       {std::pair(&protocol.producers, "producers"), std::pair(&protocol.consumers, "consumers")}) {
    if (side->exclusion <= most)
      continue;
    diagnostics.error(queue.sync.location,
                      fmt::format("sync: {}: the {} of a ring of queue '{}' are {}; write auto",
                                  most == Exclusion::kNone ? "none" : "engine", name, queue.name,
                                  describe(side->exclusion)));
  }
}

bool compares_and_swaps(LockPrimitive primitive) {
  return primitive == LockPrimitive::kCompareAndSwap || primitive == LockPrimitive::kTicket ||
         primitive == LockPrimitive::kMcs;
}

// A condition variable keeps a bit for each engine in a longword.
constexpr unsigned kEnginesOfCondition = 32;

bool has_engine_beyond(const QueueUsers& users, unsigned engines) {
  const auto is_beyond = [&](const ThreadPlace& thread) { return thread.engine >= engines; };
  return std::any_of(users.releasers.begin(), users.releasers.end(), is_beyond) ||
         std::any_of(users.instances.begin(), users.instances.end(), [&](const auto& ring) {
           return std::any_of(ring.producers.begin(), ring.producers.end(), is_beyond) ||
                  std::any_of(ring.consumers.begin(), ring.consumers.end(), is_beyond);
         });
}

void check_primitive(const QueueUsers& users, const QueueProtocol& protocol,
                     Diagnostics& diagnostics) {
  const QueueEntry& queue = users.queue;
  const LockPrimitive primitive = queue.primitive.value;
  const auto refuse = [&](const std::string& why) {
    diagnostics.error(queue.primitive.location,
                      fmt::format("primitive: queue '{}': {}", queue.name, why));
  };
  if (primitive == LockPrimitive::kAuto || primitive == LockPrimitive::kTestAndSet)
    return;
  const bool in_sram = queue.memory.value == isa::MemorySpace::kSram;
  if (primitive == LockPrimitive::kLockCam && !in_sram)
    return refuse("only the SRAM unit has a lock CAM; write test_and_set");
  if (protocol.shape == RingShape::kCounters)
    return refuse("sync: memory_lock locks by test_and_set");
  if (compares_and_swaps(primitive) && !(in_sram && users.has_compare_and_swap))
    return refuse(fmt::format("{} needs compare-and-swap, which a cache before SRAM performs; {}",
                              name_of(primitive),
                              in_sram ? "this chip has none; write test_and_set, lock_cam, mutex "
                                        "or condition"
                                      : "write memory: sram, test_and_set, mutex or condition"));
  if (primitive != LockPrimitive::kCondition)
    return;
  if (queue.wait.value == QueueWait::kSignal)
    refuse(
        "threads that sleep on a condition variable would take the signals of entries for "
        "those of the lock; write wait: poll");
  if (has_engine_beyond(users, kEnginesOfCondition))
    refuse(fmt::format("a condition variable knows engines 0 to {}; write mutex",
                       kEnginesOfCondition - 1));
}

unsigned threads_with_places(const QueueUsers& users) {
  unsigned most = 0;
  const auto count = [&](const std::vector<ThreadPlace>& threads) {
    for (const ThreadPlace& thread : threads)
      most = std::max(most, thread.engine * (users.contexts > 4 ? 8 : 4) + thread.context + 1);
  };
  count(users.releasers);
  for (const QueueInstance& ring : users.instances) {
    count(ring.producers);
    count(ring.consumers);
  }
  return most;
}

// Room is there even if no side turns out to need the lock: long entries may make one do so later.
void add_locks(const QueueUsers& users, QueueProtocol& protocol) {
  const LockPrimitive primitive = protocol.primitive;
  if (primitive == LockPrimitive::kMutex || primitive == LockPrimitive::kCondition)
    protocol.call_instructions = users.queue.call_instructions;
  if (primitive == LockPrimitive::kCondition)
    protocol.kernel_instructions = users.queue.kernel_instructions;
  if (lies_apart(primitive) && protocol.shape != RingShape::kCounters)
    protocol.lock_threads = threads_with_places(users);
}

LockPrimitive choose_primitive(const QueueEntry& queue, RingShape shape) {
  if (queue.primitive.value != LockPrimitive::kAuto)
    return queue.primitive.value;
  return queue.memory.value == isa::MemorySpace::kSram && shape != RingShape::kCounters
             ? LockPrimitive::kLockCam
             : LockPrimitive::kTestAndSet;
}

RingShape choose_shape(const QueueUsers& users, std::string& reason) {
  if (users.has_written_program) {
    reason = "a program written by hand reads the counters in memory";
    return RingShape::kCounters;
  }
  if (users.queue.in_registers) {
    reason = "the mapping asks for it";
    return RingShape::kRegisters;
  }
  if (users.queue.order.value == QueueOrder::kPort) {
    reason = "packets of a port leave in their order";
    return RingShape::kSequence;
  }
  if (users.queue.sync.value == QueueSync::kMemoryLock) {
    reason = "the mapping asks for it";
    return RingShape::kCounters;
  }
  if (users.queue.quantum.value > 1) {
    reason = "consumers take several entries at a time and read them one by one";
    return RingShape::kEntryFlag;
  }
  reason = "the cheapest for these threads";
  return RingShape::kLapBit;
}

// A thread that waits for an entry of its own takes no other: neither of another ring, nor one
// whose signal woke it. With more threads than entries a claim would be to the next lap of an
// entry that is yet to be written, which has that lap's bit already.
Taking choose_taking(const QueueUsers& users, const QueueProtocol& protocol) {
  const bool can_claim =
      protocol.shape == RingShape::kLapBit && protocol.consumers.exclusion == Exclusion::kEngine &&
      protocol.consumers.count == CountPlace::kEngine &&
      users.queue.wait.value == QueueWait::kPoll && users.is_only_input &&
      std::all_of(users.instances.begin(), users.instances.end(), [&](const QueueInstance& ring) {
        return ring.consumers.size() <= users.queue.entries.value;
      });
  return can_claim ? Taking::kClaims : Taking::kTurns;
}

std::uint32_t bursts_of(std::uint32_t entry_longwords) {
  return (entry_longwords + 7) / 8;
}

double lock_references(const QueueSide& side) {
  return side.exclusion == Exclusion::kMemoryLock || side.count == CountPlace::kMemory ? 1 : 0;
}

// Of a lock that is found free, besides reading the count, where that is not the lock, and writing
// it.
double further_references(LockPrimitive primitive) {
  switch (primitive) {
    case LockPrimitive::kCompareAndSwap: return 1;  // the count is read before it is swapped
    case LockPrimitive::kMutex: return 2;           // locked and unlocked
    case LockPrimitive::kCondition: return 3;       // and who waits?
    case LockPrimitive::kTicket:  // ticket drawn in two; looked at twice, and passed on
    case LockPrimitive::kMcs:     // node; tail in two; next node looked at; tail
      return 5;
    default: return 0;
  }
}

double further_references(const QueueProtocol& protocol, const QueueSide& side) {
  return side.exclusion == Exclusion::kMemoryLock ? further_references(protocol.primitive) : 0;
}

HandOverCost cost_of_counters(const QueueProtocol& protocol, std::uint32_t longwords,
                              QueueRelease release) {
  const double producers_lock = protocol.producers.exclusion == Exclusion::kNone ? 0 : 2;
  const double consumers_lock = protocol.consumers.exclusion == Exclusion::kNone ? 0 : 2;
  // Both counters are read and one is written; consumers that lock look before they lock.
  const double looks = consumers_lock > 0 ? 2 : 0;
  return {.put = producers_lock + 3 + longwords,
          .get = consumers_lock + looks + 3 + longwords,
          .release = release == QueueRelease::kEndOfPacket ? 4.0 : 0.0};
}

constexpr std::uint64_t kLockLine = 64;  // mappings/library/queue_locks.h
constexpr std::uint64_t kLockSides = 3;

}  // namespace

const char* name_of(LockPrimitive primitive) {
  switch (primitive) {
    case LockPrimitive::kAuto: return "auto";
    case LockPrimitive::kTestAndSet: return "test_and_set";
    case LockPrimitive::kLockCam: return "lock_cam";
    case LockPrimitive::kTicket: return "ticket";
    case LockPrimitive::kMcs: return "mcs";
    case LockPrimitive::kCompareAndSwap: return "compare_and_swap";
    case LockPrimitive::kMutex: return "mutex";
    case LockPrimitive::kCondition: break;
  }
  return "condition";
}

bool lies_apart(LockPrimitive primitive) {
  return primitive == LockPrimitive::kMutex || primitive == LockPrimitive::kCondition ||
         primitive == LockPrimitive::kTicket || primitive == LockPrimitive::kMcs;
}

std::uint64_t lock_area_offset(std::uint64_t ring_bytes) {
  return (ring_bytes + 2 * kLockLine - 1) / kLockLine * kLockLine;
}

std::uint64_t lock_area_bytes(const QueueProtocol& protocol) {
  if (protocol.lock_threads == 0)
    return 0;
  const std::uint64_t nodes = protocol.primitive == LockPrimitive::kMcs ? protocol.lock_threads : 0;
  return kLockLine * (2 * kLockSides + nodes);
}

bool packs_counts(const QueueSide& producers) {
  return producers.count == CountPlace::kThread && producers.rings > 1;
}

QueueProtocol derive_protocol(const QueueUsers& users, Diagnostics& diagnostics) {
  QueueProtocol protocol;
  protocol.shape = choose_shape(users, protocol.reason);
  protocol.primitive = choose_primitive(users.queue, protocol.shape);
  const std::uint32_t entries = users.queue.entries.value;
  protocol.producers = derive_side(users.instances, &QueueInstance::producers, entries);
  protocol.consumers = derive_side(users.instances, &QueueInstance::consumers, entries);
  if (protocol.shape == RingShape::kRegisters)
    protocol.producers.count = protocol.consumers.count = CountPlace::kEngine;
  if (protocol.shape == RingShape::kSequence)
    protocol.producers = {.count = CountPlace::kThread};  // each packet has a slot of its own
  if (users.queue.release.value == QueueRelease::kEndOfPacket)
    protocol.releasers = derive_releasers(users.releasers, users.instances.size());
  if (protocol.shape == RingShape::kCounters)
    protocol.producers.count = protocol.consumers.count = protocol.releasers.count =
        CountPlace::kMemory;
  protocol.taking = choose_taking(users, protocol);
  check_sync(users, protocol, diagnostics);
  check_primitive(users, protocol, diagnostics);
  add_locks(users, protocol);
  // Counters keep their places: written programs know them.
  protocol.has_own_lines =
      users.has_compare_and_swap && users.queue.memory.value == isa::MemorySpace::kSram &&
      protocol.shape != RingShape::kRegisters && protocol.shape != RingShape::kCounters;
  return protocol;
}

QueueProtocol fit_protocol(QueueProtocol protocol, std::uint32_t entry_longwords) {
  if (bursts_of(entry_longwords) == 1 || protocol.shape == RingShape::kCounters ||
      protocol.shape == RingShape::kRegisters)
    return protocol;
  for (QueueSide* side : {&protocol.producers, &protocol.consumers, &protocol.releasers}) {
    if (side->count != CountPlace::kEngine || !side->shares_engine)
      continue;
    side->exclusion = Exclusion::kMemoryLock;
    side->count = CountPlace::kMemory;
    protocol.taking = Taking::kTurns;
    protocol.reason = "the cheapest for these threads and entries of more than a burst";
  }
  return protocol;
}

HandOverCost hand_over_cost(const QueueProtocol& protocol, std::uint32_t entries,
                            std::uint32_t entry_longwords, QueueRelease release) {
  if (protocol.shape == RingShape::kCounters)
    return cost_of_counters(protocol, entry_longwords, release);
  if (protocol.shape == RingShape::kRegisters)
    return {};
  const QueueSide& producers = protocol.producers;
  const QueueSide& consumers = protocol.consumers;
  const double bursts = bursts_of(entry_longwords);
  HandOverCost cost;
  // A count in memory is read (by the lock, where there is one) and written.
  cost.put = bursts + 2 * lock_references(producers) + further_references(protocol, producers);
  cost.get = bursts + 2 * lock_references(consumers) + further_references(protocol, consumers);
  if (protocol.shape == RingShape::kEntryFlag) {
    cost.put += 1;  // is the entry free?
    cost.get += 1;  // it is now
    return cost;
  }
  const bool reads_both = producers.count == CountPlace::kMemory &&
                          producers.exclusion != Exclusion::kMemoryLock;  // in one burst
  if (producers.count == CountPlace::kMemory && !reads_both && producers.rings > 1)
    cost.put += 1;
  else if (!reads_both)
    cost.put += 1.0 / entries;
  if (release == QueueRelease::kEndOfPacket) {
    cost.release = protocol.releasers.count == CountPlace::kMemory
                       ? 2 + further_references(protocol, protocol.releasers)
                       : 1;
  } else if (consumers.count != CountPlace::kMemory) {
    cost.get += 1.0 / entries_per_notice(entries);
  }
  return cost;
}

std::uint32_t entries_per_notice(std::uint32_t entries) {
  return std::max<std::uint32_t>(1, entries / 8);
}

}  // namespace nplab::mappings
