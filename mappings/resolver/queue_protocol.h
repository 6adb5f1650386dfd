// How the threads of a queue's two sides share its rings: the cheapest way that is right, derived
// from who uses each ring. docs/queues.md describes the protocols and what each costs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mappings/files/mapping_file.h"
#include "mappings/resolver/thread_place.h"

namespace nplab::mappings {

struct QueueInstance;

// What tells a consumer that an entry is there, and a producer that there is room.
enum class RingShape {
  kLapBit,     // a bit of the entry that changes with every lap; producers keep the count of freed
  kEntryFlag,  // packet information that is not 0; for consumers that take several at a time
  kRegisters,  // all in registers of the engine that producers and consumers share
  kSequence,   // the lap bit, in the slot of the packet's number in its port: no tail
  kCounters,   // head, tail and released in memory, under memory locks; also for written programs
};

// How threads of a side keep apart while one of them takes or puts an entry.
enum class Exclusion {
  kNone,        // one thread for each ring
  kEngine,      // threads of one engine, which are not preempted: a register of the engine
  kMemoryLock,  // threads of several engines: a lock in memory, one thread of an engine at a time
};

// How consumers of one engine share a ring.
enum class Taking {
  kTurns,   // one at a time looks for the next entry
  kClaims,  // each claims the next slot and looks there alone; slots are given back in order
};

// Where a side keeps its running count.
enum class CountPlace {
  kThread,  // a register of the thread
  kEngine,  // a register that the engine's threads share
  kMemory,  // the ring's control block
};

struct QueueSide {
  Exclusion exclusion{};
  CountPlace count{};
  bool shares_engine = false;  // do threads of one engine share a ring?
  unsigned rings = 1;          // of a thread, at most
  friend bool operator==(const QueueSide&, const QueueSide&) = default;
};

// Whether a producer thread keeps both of its counts of a ring, those of entries put and known to
// be free, in the halves of one register: where it has several rings.
bool packs_counts(const QueueSide& producers);

struct QueueProtocol {
  RingShape shape{};
  LockPrimitive primitive{};  // never kAuto
  QueueSide producers;
  QueueSide consumers;
  Taking taking{};
  // Those that count entries as free at the end of packets, where that is asked for.
  QueueSide releasers;
  std::string reason;  // of the shape: a clause for people
  // Locks that lie apart from the counts: room for them after a ring's entries, of the threads that
  // have a place there.
  unsigned lock_threads = 0;
  // Where a cache fronts the memory: each count has a line of its own, since sides that write into
  // one line take it from one another. Entries begin on a line, too.
  bool has_own_lines = false;
  std::uint32_t call_instructions = 0;    // of a mutex or condition variable
  std::uint32_t kernel_instructions = 0;  // of a condition variable
  friend bool operator==(const QueueProtocol&, const QueueProtocol&) = default;
};

// What a protocol is derived from.
struct QueueUsers {
  const QueueEntry& queue;
  const std::vector<QueueInstance>& instances;
  bool has_written_program = false;      // at one of its ends, which knows the counters in memory
  std::vector<ThreadPlace> releasers{};  // with release: end_of_packet
  bool is_only_input = true;             // of the stage that consumes
  unsigned contexts = 4;                 // of an engine of the chip
  bool has_compare_and_swap = false;     // has the chip?
};

// As a mapping spells it.
const char* name_of(LockPrimitive primitive);

// Whether the lock is a longword, or several, besides the count that it protects.
bool lies_apart(LockPrimitive primitive);

// After the entries of a ring, from the first line of 64 bytes on that has none of them.
std::uint64_t lock_area_offset(std::uint64_t ring_bytes);
std::uint64_t lock_area_bytes(const QueueProtocol& protocol);

// The protocol that `sync` asks for, auto: the cheapest. Reports a `sync` that is wrong for the
// threads, and what a shape cannot do.
QueueProtocol derive_protocol(const QueueUsers& users, Diagnostics& diagnostics);

// The protocol for entries of this length. One of more than a burst does not fit the transfer
// registers and may not fit the others: no count that threads of an engine share is safe in
// registers then, since keeping a value in memory lets other threads run.
QueueProtocol fit_protocol(QueueProtocol protocol, std::uint32_t entry_longwords);

// The rings of a thread whose counts registers of the thread can hold, and the entries of each that
// half a register can count; beyond, memory holds the counts.
inline constexpr unsigned kMostRingsInRegisters = 4;
inline constexpr std::uint32_t kMostPackedEntries = 1 << 14;

// References to memory per hand-over, of a queue that is neither empty nor full, on average.
struct HandOverCost {
  double put = 0;
  double get = 0;
  double release = 0;
};
HandOverCost hand_over_cost(const QueueProtocol& protocol, std::uint32_t entries,
                            std::uint32_t entry_longwords, QueueRelease release);

// A consumer whose count is in registers tells the producers only after so many entries.
std::uint32_t entries_per_notice(std::uint32_t entries);

}  // namespace nplab::mappings
