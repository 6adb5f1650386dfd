// The ports between the modules of a match unit: what is sent in a cycle is seen `latency` cycles
// later, at least in the next. A sender counts what left the port before its cycle, so that the
// order in which the modules of a cycle are worked through changes nothing.
#pragma once

#include <cassert>
#include <deque>
#include <string>
#include <utility>

#include "simulator/base/time.h"

namespace nplab::simulator::match {

template <class T>
class Port {
 public:
  explicit Port(std::size_t capacity, Cycles latency = 1) : capacity_(capacity), latency_(latency) {
    assert(latency > 0 && "a fact is seen after the cycle in which it came about");
  }

  [[nodiscard]] bool has_room(Cycle now, std::size_t places = 1) const {
    return waiting_.size() + taken_in(now) + places <= capacity_;
  }
  void send(T value, Cycle now) {
    assert(has_room(now) && "sent into a full port");
    waiting_.push_back({std::move(value), now + latency_});
  }
  // The oldest, if it can be seen.
  [[nodiscard]] const T* front(Cycle now) const {
    return !waiting_.empty() && waiting_.front().seen_from <= now ? &waiting_.front().value
                                                                  : nullptr;
  }
  T take(Cycle now) {
    assert(front(now) != nullptr && "took what cannot be seen yet");
    T value = std::move(waiting_.front().value);
    waiting_.pop_front();
    taken_ = taken_in(now) + 1;
    last_taken_ = now;
    return value;
  }
  // All that was sent before cycle `now`, the oldest first.
  template <class Visit>
  void for_each_sent_before(Cycle now, Visit visit) {
    for (auto& entry : waiting_)
      if (entry.seen_from < now + latency_)
        visit(entry.value);
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& entry : waiting_)
      visit(entry.value, entry.seen_from);
  }

  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] Cycles latency() const { return latency_; }
  // When the oldest can be seen.
  [[nodiscard]] Cycle next() const {
    return waiting_.empty() ? Cycle::never() : waiting_.front().seen_from;
  }

 private:
  struct Waiting {
    T value;
    Cycle seen_from;
  };
  [[nodiscard]] std::size_t taken_in(Cycle now) const { return last_taken_ == now ? taken_ : 0; }

  std::size_t capacity_;
  Cycles latency_;
  std::deque<Waiting> waiting_;
  std::size_t taken_ = 0;
  Cycle last_taken_ = Cycle::never();
};

}  // namespace nplab::simulator::match
