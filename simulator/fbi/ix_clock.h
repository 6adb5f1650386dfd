// The IX bus clock against the core clock, counted exactly: IX cycle k begins in core cycle ceil(k
// * core / IX).
#pragma once

#include <cassert>
#include <cstdint>

#include "simulator/base/time.h"

namespace nplab::simulator {

// Number of an IX bus cycle, from reset; or a number of IX bus cycles.
using IxCycles = std::uint64_t;

class IxClock {
 public:
  // IX bus clock = core clock * numerator / denominator; not faster than the core.
  constexpr IxClock(std::uint64_t numerator, std::uint64_t denominator)
      : numerator_(numerator), denominator_(denominator) {
    assert(numerator > 0 && numerator <= denominator && "the IX bus is not faster than the core");
  }

  // The core cycle in which IX cycle `number` begins.
  [[nodiscard]] constexpr Cycle start_of(IxCycles number) const {
    return Cycle((number * denominator_ + numerator_ - 1) / numerator_);
  }
  // The first IX cycle that begins in core cycle `at` or later.
  [[nodiscard]] constexpr IxCycles first_from(Cycle at) const {
    return at == Cycle() ? 0 : (at.number() - 1) * numerator_ / denominator_ + 1;
  }
  // Whole IX cycles in the first `core_cycles` core cycles.
  [[nodiscard]] constexpr IxCycles whole_cycles(Cycles core_cycles) const {
    return core_cycles * numerator_ / denominator_;
  }

 private:
  std::uint64_t numerator_;
  std::uint64_t denominator_;
};

}  // namespace nplab::simulator
