// A 64-bit hash of simulation state, for comparing two runs at one cycle.
#pragma once

#include <cstdint>
#include <span>

#include "simulator/base/time.h"

namespace nplab::simulator {

class StateHash {
 public:
  // The finalizer of splitmix64 over the running value: order matters, every bit of every value
  // counts.
  void add(std::uint64_t value) {
    state_ += value + 0x9e3779b97f4a7c15;
    state_ = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    state_ = (state_ ^ (state_ >> 27)) * 0x94d049bb133111eb;
    state_ ^= state_ >> 31;
  }
  void add(Cycle at) { add(at.number()); }
  template <class T>
  void add_all(const T& values) {
    for (const auto& value : values)
      add(static_cast<std::uint64_t>(value));
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace nplab::simulator
