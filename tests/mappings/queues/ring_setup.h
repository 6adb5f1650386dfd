// What is explored: a ring, the threads that use it, and the protocol that follows from them as
// mappings/resolver/queue_protocol.cpp and mappings/composition/ring_code.cpp derive it (the names
// here are theirs), or one thing that is wrong on purpose.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace nplab::ring_model {

inline constexpr unsigned kMostThreads = 3;  // of a side, and engines
inline constexpr unsigned kMostEntries = 4;

enum class RingShape : std::uint8_t { kLapBit, kEntryFlag, kCounters };
enum class Exclusion : std::uint8_t { kNone, kEngine, kMemoryLock };
enum class CountPlace : std::uint8_t { kThread, kEngine, kMemory };
enum class Release : std::uint8_t { kDequeue, kEndOfPacket };
enum class LockPrimitive : std::uint8_t {
  kTestAndSet,  // of bit 0 of the count; those who find it set try again
  kLockCam,     // of the SRAM unit, where those who find the lock taken wait in the unit
};
// Counters: who contends for a side's lock, every thread or one of each engine at a time.
enum class QueueLock : std::uint8_t { kThread, kEngine };
enum class Wait : std::uint8_t { kPoll, kSignal };

// In which order memory performs what several threads of one engine have asked for. A thread by
// itself always waits until its reference is performed.
enum class MemoryOrder : std::uint8_t {
  kWritesOfEngine,  // writes and locks of an engine in the order of their issue, reads at any time
  kAny,             // any
};

// How the threads of one side share the ring.
struct Side {
  std::vector<unsigned> engines{};  // of each thread, from 0
  unsigned rings = 1;               // of each thread; the model has one of them
  Exclusion exclusion{};
  CountPlace count{};
  bool shares_engine = false;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(engines.size()); }
  // Is the thread the only one of the side in its engine?
  [[nodiscard]] bool is_alone(unsigned thread) const;
};
// The side with threads on `engines`, as queue_protocol.cpp derives it.
Side side_on(std::vector<unsigned> engines, unsigned rings = 1);

enum class Mutation : std::uint8_t {
  kNone,
  kConsumersWithoutTurn,
  kGivenBackOutOfOrder,  // claimed entries
  kMoreClaimsThanEntries,
  kProducersWithoutTurn,
  kConsumersWithoutLock,  // in memory
  kProducersWithoutLock,
  kReleasersWithoutLock,
  kLapBitIgnored,          // an entry that is not 0 counts as there
  kLapBitOfCount,          // of the count in place of the index: the wrong bit
  kFreedBeforeRead,        // the entry is given back before its last burst is read
  kRoomByEquality,         // full if N entries are in use, not if N or more seem to be
  kFirstBurstFirst,        // an entry of two bursts says that it is there before it is complete
  kTailNotAdvanced,        // the lock is given back with the old count
  kAdvancedBeforeWritten,  // entry flag: the next producer looks before the entry is written
  kLockBitNotMasked,       // of the count of freed entries
  kSleepsWithoutLooking,   // after a packet
  kSignalsBeforeWritten,   // the entry
  kQuantumByCount,         // lap bit: a quantum is given back when it is taken
  kFlagWithoutLap,         // entry flag: an entry that is not 0 counts as there
  kUnlockedBeforeWritten,  // counters: the tail moves before the entry is written
};

struct RingSetup {
  RingShape shape = RingShape::kLapBit;
  std::uint32_t entries = 2;  // a power of two
  unsigned bursts = 1;        // of an entry: 1, or 2
  Side producers{};
  Side consumers{};
  Side releasers{};  // with release at the end of the packet
  Release release = Release::kDequeue;
  Wait wait = Wait::kPoll;
  LockPrimitive primitive = LockPrimitive::kTestAndSet;
  QueueLock lock = QueueLock::kEngine;
  std::uint32_t batch = 1;    // entries per notice
  std::uint32_t quantum = 1;  // entries that a consumer takes at a time
  unsigned items = 2;         // that each producer puts
  std::uint32_t first_count = 0;
  MemoryOrder order = MemoryOrder::kWritesOfEngine;
  Mutation mutation = Mutation::kNone;

  [[nodiscard]] bool has(Mutation wrong) const { return mutation == wrong; }
  [[nodiscard]] bool has_lap_bit() const { return shape == RingShape::kLapBit; }
  [[nodiscard]] unsigned total_items() const { return items * producers.threads(); }

  // As in ring_code.cpp. A count goes up by 2 for an entry where its bit 0 may be a lock.
  [[nodiscard]] std::uint32_t count_step() const { return shape == RingShape::kCounters ? 1 : 2; }
  [[nodiscard]] std::uint32_t index(std::uint32_t count) const { return count / count_step(); }
  [[nodiscard]] std::uint32_t slot(std::uint32_t count) const {
    return index(count) & (entries - 1);
  }
  [[nodiscard]] bool lap(std::uint32_t count) const;
  [[nodiscard]] bool freed_is_locked() const;
  [[nodiscard]] std::uint32_t unlocked(std::uint32_t freed) const;
  [[nodiscard]] bool producers_take_turns() const;
  [[nodiscard]] bool consumers_claim() const;
  [[nodiscard]] bool consumers_take_turns() const;
  [[nodiscard]] bool keeps_freed() const;
  [[nodiscard]] bool head_is_freed() const { return release == Release::kDequeue; }
  [[nodiscard]] bool gives_notice() const;

  static bool locks(const Side& side) { return side.exclusion == Exclusion::kMemoryLock; }
  static bool is_in_memory(const Side& side) { return side.count == CountPlace::kMemory; }

  std::string text() const;  // for people: what a table of runs prints
};

}  // namespace nplab::ring_model
