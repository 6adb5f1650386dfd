// Byte times of a port's wire against core cycles, without rounding: times are kept in ticks,
// chosen so that both a core cycle and a byte are integral numbers of them.
#pragma once

#include <cassert>
#include <cstdint>
#include <numeric>

#include "simulator/base/time.h"

namespace nplab::simulator {

using WireTicks = std::uint64_t;

class WireClock {
 public:
  WireClock(std::uint64_t core_hz, std::uint64_t bits_per_second) {
    assert(core_hz > 0 && bits_per_second > 0 && "a clock runs");
    const std::uint64_t divisor = std::gcd(8 * core_hz, bits_per_second);
    ticks_per_byte_ = 8 * core_hz / divisor;
    ticks_per_cycle_ = bits_per_second / divisor;
  }

  [[nodiscard]] WireTicks bytes(std::uint64_t count) const { return count * ticks_per_byte_; }
  [[nodiscard]] WireTicks start_of(Cycle cycle) const { return cycle.number() * ticks_per_cycle_; }
  // The first cycle that starts at or after `ticks`.
  [[nodiscard]] Cycle first_cycle_at(WireTicks ticks) const {
    return Cycle((ticks + ticks_per_cycle_ - 1) / ticks_per_cycle_);
  }

 private:
  std::uint64_t ticks_per_byte_ = 0;
  std::uint64_t ticks_per_cycle_ = 0;
};

}  // namespace nplab::simulator
