#include "workloads/base/random.h"

#include <cassert>

namespace nplab::workloads {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

std::uint64_t Random::below(std::uint64_t bound) {
  assert(bound > 0 && "a draw needs something to draw from");
  return static_cast<std::uint64_t>(Wide{word()} * bound >> 64);
}

std::uint64_t Random::in(const Range& range) {
  const std::uint64_t others = range.high - range.low;
  if (others == ~std::uint64_t{0})
    return word();
  return range.low + below(others + 1);
}

bool Random::chance(double probability) {
  return static_cast<double>(word() >> 11) * 0x1p-53 < probability;
}

// Exp(1) = k + u: draw u, count how long further draws keep falling; an odd run accepts u, an even
// one adds 1 to k.
std::uint64_t Random::exponential(std::uint64_t mean) {
  assert(mean < std::uint64_t{1} << 56 && "the sum of some dozen means fits 64 bits");
  for (std::uint64_t whole = 0;; ++whole) {
    const std::uint64_t fraction = word();
    std::uint64_t last = fraction;
    unsigned run = 1;
    for (std::uint64_t next = word(); next < last; next = word()) {
      last = next;
      ++run;
    }
    if (run % 2 == 1)
      return whole * mean + static_cast<std::uint64_t>(Wide{fraction} * mean >> 64);
  }
}

}  // namespace nplab::workloads
