#include "simulator/systemc/chip.h"

// The system library refers to it; a program that has its own overrides this one.
__attribute__((weak)) int sc_main(int, char**) {
  return 0;
}

namespace nplab::simulator {
namespace {

constexpr double kFemtosecondsPerSecond = 1e15;

sc_core::sc_time cycle_time(const ClockDescription& clock) {
  return {kFemtosecondsPerSecond / static_cast<double>(clock.core_hz), sc_core::SC_FS};
}

}  // namespace

Chip::Chip(const sc_core::sc_module_name& name, const ChipDescription& description,
           const ChipOutside& outside)
    : sc_module(name), cycle_time_(cycle_time(description.clock)), assembly_(description, outside) {
  SC_HAS_PROCESS(Chip);
  SC_METHOD(activate);
}

Cycle Chip::run(WindowControl& control) {
  control_ = &control;
  sc_core::sc_start();
  return now_;
}

void Chip::activate() {
  const Cycle began = now_;
  while (now_ - began < kCyclesPerActivation) {
    now_ = parts().advance(now_, control_->limits(now_));
    if (control_->finished(now_))
      return;  // nothing is left to trigger: the kernel returns
  }
  next_trigger(cycle_time_ * static_cast<double>(now_ - began));
}

}  // namespace nplab::simulator
