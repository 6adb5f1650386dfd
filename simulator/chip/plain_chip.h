// The chip without the SystemC kernel: the same assembly as systemc/implementation.h. For tests and
// for runs of many small programs in one process.
#pragma once

#include "simulator/chip/assembly.h"
#include "simulator/chip/plain_kernel.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class PlainChip {
 public:
  // What is outside outlives the chip.
  PlainChip(const ChipDescription& description, const ChipOutside& outside)
      : assembly_(description, outside) {
    assembly_.connect();
  }
  // FBI, media and core (may be null), monitor and sink outlive the chip.
  PlainChip(const ChipDescription& description, FbiUnit& fbi, MediaDevice* media,
            RunMonitor& monitor, AnnotationSink& annotations, CorePort* core = nullptr)
      : PlainChip(description, ChipOutside{fbi, media, monitor, annotations, core}) {}

  [[nodiscard]] const ChipParts& parts() const { return assembly_.parts(); }
  [[nodiscard]] Microengine& engine(EngineId id) { return *parts().engines[id.index()]; }
  [[nodiscard]] CommandBus& command_bus() { return *parts().command_bus; }
  [[nodiscard]] SramUnit& sram() { return *parts().sram; }
  [[nodiscard]] SdramMemory& sdram() { return *parts().sdram; }
  [[nodiscard]] ScratchUnit& scratch() { return *parts().scratch; }

  // The next cycle to run.
  [[nodiscard]] Cycle now() const { return now_; }
  // Runs a window.
  void advance(const WindowLimits& limits) { now_ = parts().advance(now_, limits); }
  void run_cycle() { advance({now_ + 1, now_ + 1}); }

 private:
  ChipAssembly<PlainKernel> assembly_;
  Cycle now_;
};

}  // namespace nplab::simulator
