// The chip in SystemC: every engine, bus, unit and media port is a module, found by its
// hierarchical name (chip.engine0, chip.command_bus, chip.transfer_bus, chip.sram, chip.sdram,
// chip.scratch, chip.fbi, chip.media, chip.media.port0; chip.core where a program runs on the core
// processor). One method process drives the phases of each window of cycles in a fixed order; there
// is no clock, no thread process and no signal. The kernel's time advances once in
// `kCyclesPerActivation` cycles or a few more.
#pragma once

#include <systemc>

#include "simulator/base/window_control.h"
#include "simulator/chip/assembly.h"
#include "simulator/systemc/systemc_kernel.h"

namespace nplab::simulator {

class Chip : public sc_core::sc_module {
 public:
  // Cycles after which the kernel gets control again, with the end of a window.
  static constexpr unsigned kCyclesPerActivation = 256;

  // What is outside outlives the chip.
  Chip(const sc_core::sc_module_name& name, const ChipDescription& description,
       const ChipOutside& outside);

  [[nodiscard]] const ChipParts& parts() const { return assembly_.parts(); }

  // Ends elaboration, then runs windows from cycle 0 until `control` says that the run is over.
  // Gives the number of cycles done.
  Cycle run(WindowControl& control);

 private:
  void activate();
  void end_of_elaboration() override { assembly_.connect(); }

  sc_core::sc_time cycle_time_;
  ChipAssembly<SystemCKernel> assembly_;
  WindowControl* control_ = nullptr;  // of the run under way
  Cycle now_;
};

}  // namespace nplab::simulator
