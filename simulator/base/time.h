// Time in the chip: core clock cycles, counted from reset. Every fact that crosses from one module
// to another carries the cycle in which it came about; who consumes it in cycle t accepts only
// facts stamped before t.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace nplab::simulator {

// A number of core cycles.
using Cycles = std::uint64_t;

// So far, in cycles, parts of a chip may at most be apart; a simulated fault ends a run so long
// after its cycle, when all parts are past it.
inline constexpr Cycles kReach = 32;

// A point in time: the number of a core cycle.
class Cycle {
 public:
  constexpr Cycle() = default;
  constexpr explicit Cycle(std::uint64_t number) : number_(number) {}

  // Later than every cycle of a run.
  static constexpr Cycle never() { return Cycle(std::numeric_limits<std::uint64_t>::max()); }

  [[nodiscard]] constexpr std::uint64_t number() const { return number_; }
  constexpr auto operator<=>(const Cycle&) const = default;

  constexpr Cycle& operator++() {
    ++number_;
    return *this;
  }
  friend constexpr Cycle operator+(Cycle at, Cycles later) { return Cycle(at.number_ + later); }
  friend constexpr Cycles operator-(Cycle later, Cycle earlier) {
    return later.number_ - earlier.number_;
  }

 private:
  std::uint64_t number_ = 0;
};

}  // namespace nplab::simulator
