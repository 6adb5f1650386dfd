// Random draws that are the same for a seed on every platform and with every standard library: raw
// 64-bit words of the Mersenne twister (whose sequence the C++ standard fixes) and mappings in
// integer arithmetic of our own.
#pragma once

#include <cstdint>
#include <random>

#include "workloads/base/field.h"

namespace nplab::workloads {

class Random {
 public:
  explicit Random(std::uint64_t seed) : words_(seed) {}

  std::uint64_t word() { return words_(); }

  // Uniform in 0..bound-1 (bound > 0); by multiplication, so off by less than bound / 2^64.
  std::uint64_t below(std::uint64_t bound);

  std::uint64_t in(const Range& range);

  // True with the given probability, in steps of 2^-53.
  bool chance(double probability);

  // Exponentially distributed with the given mean (below 2^56), rounded down. Von Neumann's method
  // (1951), which only compares uniform words, so no logarithm of the platform takes part.
  std::uint64_t exponential(std::uint64_t mean);

 private:
  std::mt19937_64 words_;
};

}  // namespace nplab::workloads
