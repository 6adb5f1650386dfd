// The memory's clock against the core's: a ratio of two integers, so that no time is ever rounded
// twice.
#pragma once

#include <cstdint>
#include <numeric>

#include "simulator/base/time.h"
#include "simulator/dram/commands.h"

namespace nplab::simulator::dram {

class ClockRatio {
 public:
  // Of any other clock.
  static ClockRatio of(std::uint64_t hz, std::uint64_t core_hz) {
    return ClockRatio(hz, core_hz, Reduce());
  }
  // Memory clocks per core cycle: the memory runs at `fifteenths` / 15 GHz.
  ClockRatio(unsigned fifteenths, std::uint64_t core_hz)
      : ClockRatio(std::uint64_t{fifteenths} * 1'000'000'000, 15 * core_hz, Reduce()) {}

  [[nodiscard]] std::uint64_t numerator() const { return numerator_; }
  [[nodiscard]] std::uint64_t denominator() const { return denominator_; }

  // The first clock that begins in the core's cycle or after it.
  [[nodiscard]] Clock first_clock(Cycle cycle) const {
    return static_cast<Clock>((Wide{cycle.number()} * numerator_ + denominator_ - 1) /
                              denominator_);
  }
  // The core's cycle in which a clock begins.
  [[nodiscard]] Cycle cycle_of(Clock clock) const {
    return Cycle(static_cast<std::uint64_t>(Wide{static_cast<std::uint64_t>(clock)} * denominator_ /
                                            numerator_));
  }
  // The first of the core's cycles that does not begin before a clock.
  [[nodiscard]] Cycle cycle_from(Clock clock) const {
    return Cycle(static_cast<std::uint64_t>(
        (Wide{static_cast<std::uint64_t>(clock)} * denominator_ + numerator_ - 1) / numerator_));
  }
  // Entire core cycles that fit into so many clocks.
  [[nodiscard]] Cycles cycles_in(std::uint64_t clocks) const {
    return static_cast<Cycles>(Wide{clocks} * denominator_ / numerator_);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  struct Reduce {};
  ClockRatio(std::uint64_t numerator, std::uint64_t denominator, Reduce /*reduce*/)
      : numerator_(numerator / std::gcd(numerator, denominator)),
        denominator_(denominator / std::gcd(numerator, denominator)) {}

  std::uint64_t numerator_;
  std::uint64_t denominator_;
};

}  // namespace nplab::simulator::dram
