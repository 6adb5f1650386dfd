// The chip put together: every module, and the one place in which they are joined, with and without
// the SystemC kernel. A unit that is added is made, joined and connected here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/chip/chip_parts.h"
#include "simulator/chip/match_module.h"
#include "simulator/chip/modules.h"
#include "simulator/memory/sdram_models.h"

namespace nplab::simulator {

// What comes from outside the chip, and outlives it.
struct ChipOutside {
  FbiUnit& fbi;
  MediaDevice* media;  // null: a chip without ports
  RunMonitor& monitor;
  AnnotationSink& annotations;
  CorePort* core;                     // null: the core processor does nothing
  match::MatchUnit* match = nullptr;  // null: a chip without a match unit, or none uses it
};

template <class Kernel>
class ChipAssembly {
 public:
  ChipAssembly(const ChipDescription& description, const ChipOutside& outside)
      : command_bus_("command_bus", description, outside.core != nullptr ? 1 : 0),
        transfer_bus_("transfer_bus"),
        sram_("sram", description),
        sdram_("sdram", make_sdram(description)),
        scratch_("scratch", description.scratch),
        fbi_("fbi", outside.fbi) {
    monitor_.offer(outside.monitor);
    annotations_.offer(outside.annotations);
    for (unsigned i = 0; i < description.engine.engines; ++i)
      engines_.push_back(std::make_unique<MicroengineModule<Kernel>>(
          ("engine" + std::to_string(i)).c_str(), EngineId(i), description.engine));
    if (outside.media != nullptr)
      media_ = std::make_unique<MediaModule<Kernel>>("media", *outside.media);
    if (outside.core != nullptr)
      core_ = std::make_unique<CoreModule<Kernel>>("core", *outside.core);
    if (outside.match != nullptr)
      match_ = std::make_unique<MatchModule<Kernel>>("match", *outside.match);
    join_masters();
    join_units(description);
    collect(outside);
  }

  // Joins the parts inside the modules, once all ports are bound, before the first cycle.
  void connect() {
    for (auto& engine : engines_)
      engine->connect();
    if (core_)
      core_->connect();
    command_bus_.connect();
    transfer_bus_.connect();
    sram_.connect();
    sdram_.connect();
    scratch_.connect();
    fbi_.connect();
    for (auto& caches : caches_)
      caches->connect();
  }

  [[nodiscard]] const ChipParts& parts() const { return parts_; }
  // Null: a chip without a match unit, or none uses it.
  [[nodiscard]] MatchModule<Kernel>* match() { return match_.get(); }

 private:
  // The engines and the core processor: they send commands, and units answer them.
  void join_masters() {
    for (auto& engine : engines_) {
      engine->commands.bind(command_bus_.commands);
      engine->input_states.bind(fbi_.input_states);
      engine->annotations.bind(annotations_);
      engine->monitor.bind(monitor_);
      transfer_bus_.engines.bind(engine->threads);
    }
    if (!core_)
      return;
    core_->commands.bind(command_bus_.commands);
    transfer_bus_.engines.bind(core_->threads);
  }

  void join_units(const ChipDescription& description) {
    join_memory(command_bus_.sram, "sram", sram_, description.sram, description);
    join_memory(command_bus_.sdram, "sdram", sdram_, description.sdram, description);
    join_memory(command_bus_.scratch, "scratch", scratch_, description.scratch, description);
    join_unit(command_bus_.fbi, fbi_);
    sdram_.fifos.bind(fbi_.fifos);
    scratch_.processor.bind(fbi_.processor);
    if (media_)
      fbi_.media.bind(media_->device);
    if (match_)
      sram_.match.bind(match_->device);
  }
  // Through its caches, where the chip has some.
  template <class Port, class Unit, class Description>
  void join_memory(Port& from_command_bus, const char* name, Unit& memory,
                   const Description& description, const ChipDescription& chip) {
    if (!description.cache)
      return join_unit(from_command_bus, memory);
    const std::string module = std::string(name) + "_cache";
    caches_.push_back(std::make_unique<CacheModule<Kernel>>(
        module.c_str(), name, *description.cache, chip.engine.engines, memory.unit()));
    memory.threads.bind(transfer_bus_.threads);
    memory.monitor.bind(monitor_);
    from_command_bus.bind(caches_.back()->queue);
    caches_.back()->threads.bind(transfer_bus_.threads);
  }
  template <class Port, class Unit>
  void join_unit(Port& from_command_bus, Unit& unit) {
    from_command_bus.bind(unit.queue);
    unit.threads.bind(transfer_bus_.threads);
    unit.monitor.bind(monitor_);
  }

  void collect(const ChipOutside& outside) {
    for (auto& engine : engines_)
      parts_.engines.push_back(&engine->engine());
    parts_.command_bus = &command_bus_.bus();
    parts_.sram = &sram_.unit();
    parts_.sdram = &sdram_.unit();
    parts_.scratch = &scratch_.unit();
    parts_.fbi = &outside.fbi;
    parts_.media = outside.media;
    parts_.core = outside.core;
    parts_.match = outside.match;
    for (auto& caches : caches_)
      parts_.caches.push_back(&caches->cached());
  }

  typename Kernel::template Export<RunMonitor> monitor_{"monitor"};
  typename Kernel::template Export<AnnotationSink> annotations_{"annotations"};
  std::vector<std::unique_ptr<MicroengineModule<Kernel>>> engines_;
  CommandBusModule<Kernel> command_bus_;
  TransferBusModule<Kernel> transfer_bus_;
  SramModule<Kernel> sram_;
  SdramModule<Kernel> sdram_;
  ScratchModule<Kernel> scratch_;
  FbiModule<Kernel> fbi_;
  std::vector<std::unique_ptr<CacheModule<Kernel>>> caches_;
  std::unique_ptr<MediaModule<Kernel>> media_;
  std::unique_ptr<CoreModule<Kernel>> core_;
  std::unique_ptr<MatchModule<Kernel>> match_;
  ChipParts parts_;
};

}  // namespace nplab::simulator
