// The chip's parts joined directly, without the SystemC kernel: the same classes in the same order
// of phases as systemc/chip.h. For tests and for runs of many small programs in one process.
#pragma once

#include <memory>
#include <vector>

#include "simulator/bus/transfer_bus.h"
#include "simulator/chip/chip_parts.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class PlainChip {
 public:
  // FBI, media and core (may be null), monitor and sink outlive the chip.
  PlainChip(const ChipDescription& description, FbiUnit& fbi, MediaUnit* media, RunMonitor& monitor,
            AnnotationSink& annotations, CorePort* core = nullptr);

  [[nodiscard]] const ChipParts& parts() const { return parts_; }
  [[nodiscard]] Microengine& engine(EngineId id) { return *engines_[id.index()]; }
  [[nodiscard]] CommandBus& command_bus() { return command_bus_; }
  [[nodiscard]] SramUnit& sram() { return sram_; }
  [[nodiscard]] SdramUnit& sdram() { return sdram_; }
  [[nodiscard]] ScratchUnit& scratch() { return scratch_; }

  // The next cycle to run.
  [[nodiscard]] Cycle now() const { return now_; }
  // Runs a window that ends at `limit` at the latest.
  void advance(Cycle limit) { now_ = parts_.advance(now_, limit); }
  void run_cycle() { advance(now_ + 1); }

 private:
  std::vector<std::unique_ptr<Microengine>> engines_;
  TransferBus transfer_bus_;
  CommandBus command_bus_;
  SramUnit sram_;
  SdramUnit sdram_;
  ScratchUnit scratch_;
  ChipParts parts_;
  Cycle now_;
};

}  // namespace nplab::simulator
