// Seeded draws that are the same with every standard library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace nplab::experiments {

// The standard's distributions differ between libraries; the generator does not.
class SeededDraw {
 public:
  explicit SeededDraw(std::uint64_t seed) : generator_(seed) {}

  // From 0 up to below 1, in 2^-53.
  double fraction() { return static_cast<double>(generator_() >> 11) * 0x1.0p-53; }
  // From 0 up to below `count`.
  std::size_t index(std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(fraction() * static_cast<double>(count)));
  }
  // 0 to `count` - 1 in random order.
  std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = count; i > 1; --i)
      std::swap(order[i - 1], order[index(i)]);
    return order;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace nplab::experiments
