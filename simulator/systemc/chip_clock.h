// The chip's cycles in the kernel's time. A cycle lasts a whole number of the kernel's time
// resolution: with 1 fs the clock is right to a part in 10^9, with the usual 1 ps to some in 10^4.
#pragma once

#include <algorithm>

#include <systemc>

#include "simulator/base/time.h"

namespace nplab::systemc {

class ChipClock {
 public:
  explicit ChipClock(std::uint64_t core_hz)
      : period_(kFemtosecondsPerSecond / static_cast<double>(core_hz), sc_core::SC_FS) {}

  [[nodiscard]] const sc_core::sc_time& period() const { return period_; }
  [[nodiscard]] sc_core::sc_time start_of(simulator::Cycle cycle) const {
    return sc_core::sc_time::from_value(period_.value() * cycle.number());
  }
  // From now until the cycle begins; nothing when it has begun.
  [[nodiscard]] sc_core::sc_time until(simulator::Cycle cycle) const {
    const sc_core::sc_time start = start_of(cycle);
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    return start > now ? start - now : sc_core::SC_ZERO_TIME;
  }
  // Cycles that begin before `time`: the first one that does not.
  [[nodiscard]] simulator::Cycle first_from(const sc_core::sc_time& time) const {
    return simulator::Cycle(rounded_up(time));
  }
  // Whole cycles that `time` takes, rounded up.
  [[nodiscard]] simulator::Cycles rounded_up(const sc_core::sc_time& time) const {
    return (time.value() + period_.value() - 1) / period_.value();
  }

 private:
  static constexpr double kFemtosecondsPerSecond = 1e15;
  sc_core::sc_time period_;
};

}  // namespace nplab::systemc
