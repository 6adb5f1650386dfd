// Values taken at cycles that are an interval apart. The interval doubles when there are many, so
// that a run of any length has between half of the most and the most of them, and the same ones in
// every mode.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "simulator/base/time.h"

namespace nplab::simulator {

template <class Value>
class HalvingSeries {
 public:
  // Fewer than `most` values, an even number; the first ones `interval` apart.
  HalvingSeries(Cycles interval, std::size_t most)
      : interval_(interval), next_(interval), most_(most) {}

  // The cycle of whose beginning the next value is to be: value i is of the beginning of cycle (i +
  // 1) * interval().
  [[nodiscard]] Cycle next() const { return next_; }
  [[nodiscard]] Cycles interval() const { return interval_; }

  void add(Value value) {
    values_.push_back(std::move(value));
    if (values_.size() == most_)
      halve();
    next_ = next_ + interval_;
  }

  [[nodiscard]] std::vector<Value> values() && { return std::move(values_); }

 private:
  // Of an even number of values, those at the ends of intervals twice as long.
  void halve() {
    for (std::size_t i = 0; i < values_.size() / 2; ++i)
      values_[i] = std::move(values_[2 * i + 1]);
    values_.resize(values_.size() / 2);
    interval_ *= 2;
  }

  Cycles interval_;
  Cycle next_;
  std::size_t most_;
  std::vector<Value> values_;
};

}  // namespace nplab::simulator
