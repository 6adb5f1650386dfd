// What the steps of all threads have in common. A thread issues one reference at a time and waits;
// memory performs it; then the thread runs from there to its next reference, or to where it waits
// for a turn, an event or work, without being preempted.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>

#include "ring_ledger.h"
#include "ring_setup.h"
#include "ring_state.h"

namespace nplab::ring_model {

inline constexpr std::uint32_t kLock = 1;  // bit 0 of a count

template <class ThreadOfSide, class At>
class SideSteps {
 public:
  // The property that the steps have violated.
  [[nodiscard]] Property violated() const { return violated_; }

  // Has the thread's reference reached memory?
  [[nodiscard]] bool is_next_of_engine() const { return thread().issued_before == 0; }
  // Lets the references after one that is locked out pass.
  void lock_out() {
    leave_order();
    thread().phase = Phase::kLockedOut;
  }
  // The count whose lock the reference takes, if it does. A derived class hides this.
  [[nodiscard]] const Word* word_to_lock() const { return nullptr; }

 protected:
  using Threads = std::array<ThreadOfSide, kMostThreads>;
  SideSteps(const RingSetup& setup, RingState& state, const Side& side, Threads& threads,
            unsigned number)
      : setup_(setup), state_(state), side_(side), threads_(threads), number_(number) {}

  [[nodiscard]] ThreadOfSide& thread() const { return threads_[number_]; }
  [[nodiscard]] unsigned engine_number() const { return side_.engines[number_]; }
  [[nodiscard]] At at() const { return static_cast<At>(thread().at); }

  void wait_at(At at) {
    thread().at = static_cast<std::uint8_t>(at);
    thread().phase = Phase::kReady;
  }
  void issue(At at) {
    wait_at(at);
    if (setup_.order == MemoryOrder::kWritesOfEngine && is_write(at)) {
      for_each_pending_write([&](Thread&) { ++thread().issued_before; });
    }
    thread().phase = Phase::kIssued;
  }
  void performed() {
    if (thread().phase == Phase::kIssued)
      leave_order();
    thread().phase = Phase::kPerformed;
  }

  [[nodiscard]] std::uint32_t value(Word word) const { return setup_.first_count + word.distance; }
  [[nodiscard]] Word word(std::uint32_t value) const {
    const std::uint32_t distance = value - setup_.first_count;
    assert(distance < 256 && "a count is farther from the first than the model holds");
    return {static_cast<std::uint8_t>(distance)};
  }
  // The count before the lock was taken.
  static Word test_and_set(Word& word) {
    const Word old = word;
    word.distance |= kLock;  // the first count is even
    return old;
  }
  [[nodiscard]] Entry& entry_at(std::uint32_t count) const {
    return state_.memory.entries[setup_.slot(count)];
  }

  void judge(Property property) {
    if (violated_ == Property::kNone)
      violated_ = property;
  }

  const RingSetup& setup_;
  RingState& state_;

 private:
  void leave_order() {
    if (setup_.order == MemoryOrder::kWritesOfEngine && is_write(at())) {
      for_each_pending_write([](Thread& other) { --other.issued_before; });
    }
  }
  template <class Visit>
  void for_each_pending_write(Visit visit) {
    for (unsigned other = 0; other < side_.threads(); ++other) {
      ThreadOfSide& their = threads_[other];
      if (other != number_ && side_.engines[other] == engine_number() &&
          their.phase == Phase::kIssued && is_write(static_cast<At>(their.at)))
        visit(their);
    }
  }

  const Side& side_;
  Threads& threads_;
  unsigned number_;
  Property violated_ = Property::kNone;
};

}  // namespace nplab::ring_model
