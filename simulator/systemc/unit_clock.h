// A match unit whose boxes' processes do its work: each of the unit's cycles in the kernel's time.
// The chip's thread, which lets the unit catch up, waits meanwhile.
#pragma once

#include "simulator/chip/match_module.h"
#include "simulator/dram/clock_ratio.h"
#include "simulator/match_engine/cycle_runner.h"
#include "simulator/systemc/chip_clock.h"
#include "simulator/systemc/systemc_kernel.h"

namespace nplab::systemc {

class UnitClock final : public simulator::match::CycleRunner {
 public:
  using Module = simulator::MatchModule<simulator::SystemCKernel>;

  // `ratio`: the unit's cycles per cycle of the chip. The module outlives it.
  UnitClock(const ChipClock& clock, const simulator::dram::ClockRatio& ratio, Module& module)
      : clock_(clock), ratio_(ratio), module_(module) {}

  void work_through(simulator::Cycle now) override {
    const sc_core::sc_time start = start_of(now);
    if (start > sc_core::sc_time_stamp())
      sc_core::wait(start - sc_core::sc_time_stamp());
    module_.begin_cycle(now);
    sc_core::wait(sc_core::SC_ZERO_TIME);  // the boxes' processes come before the next delta cycle
  }

  // Rounded down, so that a cycle that begins before one of the chip's does so in the kernel's
  // time.
  [[nodiscard]] sc_core::sc_time start_of(simulator::Cycle now) const {
    const auto clock = static_cast<simulator::dram::Clock>(now.number());
    const simulator::Cycle before = ratio_.cycle_of(clock);
    const Wide into =
        Wide{now.number()} * ratio_.denominator() - Wide{before.number()} * ratio_.numerator();
    const Wide offset = into * clock_.period().value() / ratio_.numerator();
    return clock_.start_of(before) +
           sc_core::sc_time::from_value(static_cast<std::uint64_t>(offset));
  }

 private:
  __extension__ using Wide = unsigned __int128;

  const ChipClock& clock_;
  simulator::dram::ClockRatio ratio_;
  Module& module_;
};

}  // namespace nplab::systemc
