// A first-in first-out queue whose capacity is fixed when it is made: nothing is allocated while
// the chip runs.
#pragma once

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace nplab::simulator {

template <class T>
class FixedQueue {
 public:
  explicit FixedQueue(std::size_t capacity)
      : capacity_(capacity), mask_(ring_size(capacity) - 1), ring_(mask_ + 1) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool full() const { return size_ == capacity_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  void push(const T& value) {
    assert(!full() && "pushed into a full queue");
    ring_[(head_ + size_++) & mask_] = value;
  }
  // Of a queue that is not empty.
  [[nodiscard]] const T& front() const { return ring_[head_]; }
  // The `position`-th entry from the front.
  [[nodiscard]] const T& at(std::size_t position) const {
    assert(position < size_ && "read past the end of a queue");
    return ring_[(head_ + position) & mask_];
  }
  T pop() {
    assert(!empty() && "popped from an empty queue");
    T value = std::move(ring_[head_]);
    head_ = (head_ + 1) & mask_;
    --size_;
    return value;
  }
  // Forgets the front.
  void drop() {
    assert(!empty() && "popped from an empty queue");
    head_ = (head_ + 1) & mask_;
    --size_;
  }
  // Takes the `position`-th entry out; those after it move up.
  T take(std::size_t position) {
    T value = at(position);
    for (std::size_t i = position; i + 1 < size_; ++i)
      ring_[(head_ + i) & mask_] = ring_[(head_ + i + 1) & mask_];
    --size_;
    return value;
  }

 private:
  static std::size_t ring_size(std::size_t capacity) {
    std::size_t size = 1;
    while (size < capacity)
      size *= 2;
    return size;
  }

  std::size_t capacity_;
  std::size_t mask_;
  std::vector<T> ring_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace nplab::simulator
