#include "simulator/chip/plain_chip.h"

namespace nplab::simulator {

PlainChip::PlainChip(const ChipDescription& description, FbiUnit& fbi, MediaUnit* media,
                     RunMonitor& monitor, AnnotationSink& annotations, CorePort* core)
    : command_bus_(description, core != nullptr ? 1 : 0),
      sram_(description.sram),
      sdram_(description.sdram),
      scratch_(description.scratch) {
  std::vector<ThreadAccess*> threads;
  for (unsigned i = 0; i < description.engine.engines; ++i) {
    engines_.push_back(std::make_unique<Microengine>(EngineId(i), description.engine));
    engines_.back()->connect({&command_bus_, &fbi, &annotations, &monitor});
    threads.push_back(engines_.back().get());
    parts_.engines.push_back(engines_.back().get());
  }
  if (core != nullptr) {
    core->connect(command_bus_);
    threads.push_back(core);
  }
  transfer_bus_.connect(std::move(threads));
  command_bus_.connect({&sram_, &sdram_, &scratch_, &fbi});
  sram_.connect({&transfer_bus_, &monitor});
  sdram_.connect({&transfer_bus_, &monitor});
  sdram_.connect_fifos(fbi);
  scratch_.connect({&transfer_bus_, &monitor});
  fbi.connect({&transfer_bus_, &monitor});
  parts_.command_bus = &command_bus_;
  parts_.sram = &sram_;
  parts_.sdram = &sdram_;
  parts_.scratch = &scratch_;
  parts_.fbi = &fbi;
  parts_.media = media;
  parts_.core = core;
}

}  // namespace nplab::simulator
