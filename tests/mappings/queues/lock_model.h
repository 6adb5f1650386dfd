// The locks of mappings/library/queue_locks.h, and compare-and-swap, as steps of a few threads: a
// step is one reference that memory performs, or the arrival of a signal. Each thread takes the
// lock, adds one to a count and gives the lock back, a few times.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "mappings/files/mapping_file.h"
#include "state_space.h"

namespace nplab::lock_model {

inline constexpr unsigned kMostThreads = 3;

// What the code does otherwise, to show that the check sees it.
enum class Mutation {
  kNone,
  kSleepsWithoutSecondLook,  // condition: a lock that is given meanwhile wakes nobody
  kKeepsItsBit,              // condition: who wakes stays in the list of those that wait
  kSwapsBlindly,             // compare-and-swap, ticket: writes without comparing
  kWaitsAfterLink,           // MCS: says that it waits after it is in the list
  kGivesWithoutLink,         // MCS: does not wait for one that is about to join the list
};

enum Violation : state_space::Violation { kRight = 0, kTwoInside = 1, kLostCount = 2 };

struct Thread {
  std::uint8_t at = 0;  // the step that comes next; its meaning is the primitive's
  std::uint8_t rounds = 0;
  std::uint8_t seen = 0;   // what the take has read: ticket, node before, whom to wake
  std::uint8_t value = 0;  // the count that was read
};

struct LockState {
  std::array<Thread, kMostThreads> threads{};
  std::array<std::uint8_t, kMostThreads> next{};  // MCS: number of a node and 1; 0: none
  std::array<std::uint8_t, kMostThreads> waits{};
  std::array<std::uint8_t, kMostThreads> in_flight{};  // signals
  std::array<std::uint8_t, kMostThreads> signal{};
  std::uint8_t lock = 0;
  std::uint8_t served = 0;
  std::uint8_t waiters = 0;  // a bit for each thread
  std::uint8_t count = 0;
  std::uint8_t inside = 0;
};
static_assert(sizeof(LockState) == 8 * kMostThreads + 5, "no padding");

class LockModel {
 public:
  using State = LockState;
  LockModel(mappings::LockPrimitive primitive, unsigned threads, unsigned rounds,
            Mutation mutation = Mutation::kNone)
      : primitive_(primitive), threads_(threads), rounds_(rounds), mutation_(mutation) {}

  [[nodiscard]] State start() const;
  // All threads have done their rounds.
  [[nodiscard]] bool is_final(const State& state) const;

  template <class Visit>
  void for_each_step(const State& state, Visit visit) const {
    for (unsigned thread = 0; thread < threads_; ++thread) {
      State next = state;
      if (take_step(next, thread))
        visit(next, static_cast<state_space::Label>(thread), violation_of(next));
      if (state.in_flight[thread] == 0)
        continue;
      next = state;
      --next.in_flight[thread];
      next.signal[thread] = 1;
      visit(next, static_cast<state_space::Label>(kMostThreads + thread), kRight);
    }
  }

 private:
  // False: the thread sleeps or is done.
  bool take_step(State& state, unsigned thread) const;
  [[nodiscard]] bool is(Mutation mutation) const { return mutation_ == mutation; }
  [[nodiscard]] state_space::Violation violation_of(const State& state) const;

  bool step_swap(State& state, Thread& own) const;
  bool step_mutex(State& state, Thread& own) const;
  bool step_condition(State& state, unsigned thread) const;
  bool step_ticket(State& state, Thread& own) const;
  bool step_mcs(State& state, unsigned thread) const;

  mappings::LockPrimitive primitive_;
  unsigned threads_;
  unsigned rounds_;
  Mutation mutation_;
};

}  // namespace nplab::lock_model
