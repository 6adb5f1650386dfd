// A state of a ring, of the memory that holds it and of the threads that use it. It consists of
// bytes only, so that states can be compared and hashed as bytes.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "ring_setup.h"

namespace nplab::ring_model {

// A longword that holds a count, as its distance from the ring's first count. The distance is
// small; the protocol itself computes with all 32 bits.
struct Word {
  std::uint8_t distance = 0;
};

// What stands in an entry: 0, the item's number, or that of an item that was read. A producer's
// items are numbered upwards.
using Item = std::uint8_t;
inline constexpr Item kNothing = 0;
inline constexpr Item kAlreadyRead = 63;
inline constexpr unsigned kMostItems = 8;  // of a producer
inline Item item_of(unsigned producer, unsigned number) {
  return static_cast<Item>(1 + producer * kMostItems + number);
}
inline unsigned producer_of(Item item) {
  return (item - 1U) / kMostItems;
}
inline unsigned number_of(Item item) {
  return (item - 1U) % kMostItems;
}
inline bool is_unread(Item item) {
  return item != kNothing && item != kAlreadyRead;
}

// An entry: its first burst with the packet information, and the rest of a long one.
struct Entry {
  Item item = kNothing;
  std::uint8_t lap = 0;
  Item rest = kNothing;
};

struct Memory {
  Word tail, freed, head;
  std::uint8_t locks = 0;  // of the shape with counters: a bit for each side
  std::array<Entry, kMostEntries> entries{};
};

// A thread's program counter: where it waits, and for what.
enum class Phase : std::uint8_t {
  kReady,      // for the engine, a turn, an event or work
  kIssued,     // until memory performs its reference
  kLockedOut,  // in the unit, until another thread gives the lock back
  kPerformed,  // for the engine, with the reference's result in its transfer registers
};

struct Thread {
  std::uint8_t at = 0;  // a side's enumeration of its references
  Phase phase = Phase::kReady;
  std::uint8_t issued_before = 0;  // writes of its engine that memory performs first
  Word word;                       // that was read
};

struct Producer : Thread {
  std::uint8_t put = 0;          // items
  Word tail;                     // of the entry being put
  Word tail_count, freed_count;  // registers of the thread
  Word second_word;              // of a burst
  Entry entry;                   // that was read
};
struct ProducerEngine {
  std::uint8_t putting = 0;
  Word tail, freed;
};

struct Consumer : Thread {
  Word head;        // of the entry being taken
  Word head_count;  // register of the thread
  Word next;        // of the quantum
  std::uint8_t left = 0;
  std::uint8_t has_signal = 0;
  std::uint8_t has_claim = 0;  // to the entry at `head`
  Entry entry;                 // that was read
};
struct ConsumerEngine {
  std::uint8_t taking = 0;
  Word head;
  Word taken;  // claimed entries that were given back
};

struct Releaser : Thread {
  Word released;
};
struct ReleaserEngine {
  Word released;
};

// What was taken, by which properties are judged (ring_ledger.h).
inline constexpr unsigned kMostTakenAhead = 8;
struct Ledger {
  std::uint8_t taken = 0;                          // entries in a row from the first on
  std::array<std::uint8_t, kMostThreads> items{};  // of each producer among them
  std::array<Item, kMostTakenAhead> ahead{};       // the entries after them
};

struct RingState {
  Memory memory;
  std::array<ProducerEngine, kMostThreads> producer_engines{};
  std::array<ConsumerEngine, kMostThreads> consumer_engines{};
  std::array<ReleaserEngine, kMostThreads> releaser_engines{};
  std::array<Producer, kMostThreads> producers{};
  std::array<Consumer, kMostThreads> consumers{};
  std::array<Releaser, kMostThreads> releasers{};
  std::array<std::uint8_t, kMostThreads> signals_in_flight{};  // to each consumer
  std::uint8_t handed_on = 0;  // packets that were taken and have not reached their end
  Ledger ledger;
};
static_assert(std::has_unique_object_representations_v<RingState>);

}  // namespace nplab::ring_model
