// The protocol of a port's ring in a queue with `order: port`, under every interleaving of its
// threads: receive numbers the packets while the ring has room, workers finish them in any order
// and write each into the slot of its number or mark it as dropped, one consumer takes them.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "state_space.h"

namespace nplab::state_space {
namespace {

enum class Mutation : std::uint8_t {
  kNone,
  kLapBitIgnored,  // whatever was written once counts as there
  kRoomNotAsked,   // receive numbers packets though the ring is full
  kEarlyNotice,    // the consumer gives a slot back before it has read it
  kDropUnmarked,   // who drops a packet leaves its slot as it is
  kNextSlot,       // workers put into the next slot, as rings with a tail have it
};

constexpr Violation kOutOfOrder = 1;   // taken after a packet with a higher number
constexpr Violation kOverwritten = 2;  // an entry that was not taken
constexpr Violation kTakenTwice = 3;

constexpr unsigned kMostEntries = 4;
constexpr unsigned kMostWorkers = 3;
constexpr std::uint8_t kNothing = 0xff;

struct Setup {
  unsigned entries = 2;
  unsigned workers = 2;
  unsigned packets = 5;
  unsigned first = 0;   // number of the first packet: where a lap stands
  unsigned notice = 1;  // entries between two notices of the consumer
  Mutation mutation = Mutation::kNone;
};

// Numbers count from 0; a longword of memory is read or written in one step.
class SequenceRing {
 public:
  struct Slot {
    std::uint8_t lap;     // the bit
    std::uint8_t number;  // of the packet; kNothing: dropped, or none yet
  };
  struct State {
    std::array<Slot, kMostEntries> slots;
    std::uint8_t freed;     // in memory
    std::uint8_t numbered;  // receive: packets so far
    std::uint8_t known_freed;
    std::uint8_t waiting;  // packets that no worker has, a bit each
    std::array<std::uint8_t, kMostWorkers> held;
    std::uint8_t put;      // with kNextSlot: the tail
    std::uint8_t head;     // the consumer
    std::uint8_t noticed;  // what it has still to write to `freed`, or kNothing
    std::uint8_t last;     // taken, or kNothing
  };

  explicit SequenceRing(const Setup& setup) : setup_(setup) {}

  [[nodiscard]] State start() const {
    State state{};
    const auto first = static_cast<std::uint8_t>(setup_.first);
    for (unsigned slot = 0; slot < kMostEntries; ++slot) {
      // As if all numbers before the first one had passed: a slot has the bit of its last lap.
      const bool is_behind = slot < first % setup_.entries;
      state.slots[slot] = {lap(first - first % setup_.entries + (is_behind ? 0 : setup_.entries)),
                           kNothing};
    }
    state.freed = state.known_freed = state.numbered = state.head = state.put = first;
    state.held.fill(kNothing);
    state.noticed = state.last = kNothing;
    return state;
  }
  [[nodiscard]] bool is_final(const State& state) const { return state.head == end(); }

  template <class Visit>
  void for_each_step(const State& state, Visit visit) const {
    receive(state, visit);
    for (unsigned worker = 0; worker < setup_.workers; ++worker)
      work(state, worker, visit);
    consume(state, visit);
  }

 private:
  [[nodiscard]] unsigned end() const { return setup_.first + setup_.packets; }
  [[nodiscard]] bool is(Mutation mutation) const { return setup_.mutation == mutation; }
  [[nodiscard]] std::uint8_t lap(unsigned number) const { return number / setup_.entries & 1; }

  template <class Visit>
  void receive(const State& state, Visit& visit) const {
    if (state.numbered == end())
      return;
    State next = state;
    const bool has_room = state.numbered - state.known_freed < static_cast<int>(setup_.entries);
    if (has_room || is(Mutation::kRoomNotAsked)) {
      next.waiting |= static_cast<std::uint8_t>(1u << (state.numbered - setup_.first));
      ++next.numbered;
    } else {
      next.known_freed = state.freed;
    }
    visit(next, Label{0}, Violation{0});
  }

  template <class Visit>
  void work(const State& state, unsigned worker, Visit& visit) const {
    const auto label = static_cast<Label>(1 + worker);
    if (state.held[worker] != kNothing)
      return finish(state, worker, label, visit);
    for (unsigned packet = 0; packet < setup_.packets; ++packet) {
      if ((state.waiting >> packet & 1) == 0)
        continue;
      State next = state;
      next.waiting &= static_cast<std::uint8_t>(~(1u << packet));
      next.held[worker] = static_cast<std::uint8_t>(setup_.first + packet);
      visit(next, label, Violation{0});
    }
  }

  // Any packet may be dropped.
  template <class Visit>
  void finish(const State& state, unsigned worker, Label label, Visit& visit) const {
    const std::uint8_t number = state.held[worker];
    State next = state;
    next.held[worker] = kNothing;
    const unsigned place = is(Mutation::kNextSlot) ? next.put++ : number;
    const Violation overwritten =
        place - state.head >= setup_.entries ? kOverwritten : Violation{0};
    Slot& slot = next.slots[place % setup_.entries];
    slot = {lap(place), number};
    visit(next, label, overwritten);
    if (is(Mutation::kDropUnmarked))
      next.slots = state.slots;
    else
      slot.number = kNothing;
    visit(next, label, overwritten);
  }

  template <class Visit>
  void consume(const State& state, Visit& visit) const {
    const auto label = static_cast<Label>(1 + kMostWorkers);
    State next = state;
    if (state.noticed != kNothing) {
      next.freed = state.noticed;
      next.noticed = kNothing;
      return visit(next, label, Violation{0});
    }
    if (state.head == end())
      return;
    const unsigned ahead = is(Mutation::kEarlyNotice) ? 1 : 0;
    if (ahead != 0 && state.freed <= state.head) {
      next.freed = static_cast<std::uint8_t>(state.head + ahead);
      visit(next, label, Violation{0});
    }
    const Slot& slot = state.slots[state.head % setup_.entries];
    if (slot.lap != lap(state.head) && !is(Mutation::kLapBitIgnored))
      return;
    next = state;
    ++next.head;
    if (ahead == 0 && next.head % setup_.notice == 0)
      next.noticed = next.head;
    Violation violation = 0;
    if (slot.number != kNothing) {
      next.last = slot.number;
      if (state.last != kNothing && slot.number <= state.last)
        violation = slot.number == state.last ? kTakenTwice : kOutOfOrder;
    }
    visit(next, label, violation);
  }

  Setup setup_;
};

Exploration explored(const Setup& setup) {
  return explore(SequenceRing(setup));
}

}  // namespace

TEST_CASE("packets leave a port's ring in order, whichever thread finishes first or drops one") {
  for (const unsigned entries : {1u, 2u, 4u}) {
    for (const unsigned workers : {1u, 2u, 3u}) {
      for (const unsigned first : {0u, 1u, 3u, 6u}) {
        for (const unsigned notice : {1u, 2u}) {
          if (notice > entries)
            continue;
          INFO(entries << " entries, " << workers << " workers, first " << first << ", notice "
                       << notice);
          const Exploration found = explored({.entries = entries,
                                              .workers = workers,
                                              .packets = 7,
                                              .first = first,
                                              .notice = notice});
          CHECK(found.verdict == Verdict::kRight);
          CHECK(found.states > 100);
        }
      }
    }
  }
}

TEST_CASE("every part of the protocol that keeps a port's order is needed") {
  struct Case {
    Mutation mutation;
    Verdict verdict;
  };
  for (const Case& c : {Case{Mutation::kLapBitIgnored, Verdict::kViolated},
                        Case{Mutation::kRoomNotAsked, Verdict::kViolated},
                        Case{Mutation::kEarlyNotice, Verdict::kViolated},
                        Case{Mutation::kDropUnmarked, Verdict::kStuck},
                        Case{Mutation::kNextSlot, Verdict::kViolated}}) {
    INFO("mutation " << static_cast<int>(c.mutation));
    CHECK(explored({.packets = 5, .mutation = c.mutation}).verdict == c.verdict);
  }
}

}  // namespace nplab::state_space
