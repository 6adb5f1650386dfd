// The chip in SystemC: every engine, bus, unit and media port is a module, found by its
// hierarchical name (chip.engine0, chip.command_bus, chip.transfer_bus, chip.sram, chip.sdram,
// chip.scratch, chip.fbi, chip.media, chip.media.port0; chip.core where a program runs on the core
// processor). One method process drives the phases of each window of cycles in a fixed order; there
// is no clock, no thread process and no signal. The kernel's time moves on once in
// `kCyclesPerActivation` cycles or a few more.
#pragma once

#include <memory>
#include <vector>

#include <systemc>

#include "simulator/base/window_control.h"
#include "simulator/chip/chip_parts.h"
#include "simulator/systemc/modules.h"

namespace nplab::simulator {

class Chip : public sc_core::sc_module {
 public:
  // Cycles behind which the kernel gets control again, with the end of a window.
  static constexpr unsigned kCyclesPerActivation = 256;

  struct Outside {
    FbiUnit& fbi;
    MediaUnit* media;  // may be null
    RunMonitor& monitor;
    AnnotationSink& annotations;
    CorePort* core;  // may be null
  };
  // What is outside outlives the chip.
  Chip(const sc_core::sc_module_name& name, const ChipDescription& description,
       const Outside& outside);

  [[nodiscard]] const ChipParts& parts() const { return parts_; }

  // Ends elaboration, then runs windows from cycle 0 until `control` says that the run is over.
  // Gives the number of cycles done.
  Cycle run(WindowControl& control);

 private:
  void activate();
  void bind_units();
  void bind_engines();
  void collect_parts(const Outside& outside);

  sc_core::sc_time cycle_time_;
  Offer<RunMonitor> monitor_offer_;
  Offer<AnnotationSink> annotation_offer_;
  std::vector<std::unique_ptr<MicroengineModule>> engines_;
  CommandBusModule command_bus_;
  TransferBusModule transfer_bus_;
  SramModule sram_;
  SdramModule sdram_;
  ScratchModule scratch_;
  FbiModule fbi_;
  std::unique_ptr<MediaModule> media_;
  std::unique_ptr<CoreModule> core_;
  ChipParts parts_;
  WindowControl* control_ = nullptr;  // of the run under way
  Cycle now_;
};

}  // namespace nplab::simulator
