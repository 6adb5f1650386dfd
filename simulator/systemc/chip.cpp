#include "simulator/systemc/chip.h"

#include <string>

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
           const Outside& outside)
    : sc_module(name),
      cycle_time_(cycle_time(description.clock)),
      monitor_offer_(outside.monitor),
      annotation_offer_(outside.annotations),
      command_bus_("command_bus", description, outside.core != nullptr ? 1 : 0),
      transfer_bus_("transfer_bus"),
      sram_("sram", description.sram),
      sdram_("sdram", description.sdram),
      scratch_("scratch", description.scratch),
      fbi_("fbi", outside.fbi) {
  for (unsigned i = 0; i < description.engine.engines; ++i)
    engines_.push_back(std::make_unique<MicroengineModule>(("engine" + std::to_string(i)).c_str(),
                                                           EngineId(i), description.engine));
  if (outside.media != nullptr)
    media_ = std::make_unique<MediaModule>("media", *outside.media);
  if (outside.core != nullptr)
    core_ = std::make_unique<CoreModule>("core", *outside.core);
  bind_engines();
  bind_units();
  collect_parts(outside);
  SC_HAS_PROCESS(Chip);
  SC_METHOD(activate);
}

void Chip::bind_engines() {
  for (auto& engine : engines_) {
    engine->commands.bind(command_bus_.commands);
    engine->fbi.bind(fbi_.unit);
    engine->annotations.bind(annotation_offer_);
    engine->monitor.bind(monitor_offer_);
    transfer_bus_.engines.bind(engine->threads);
  }
  if (!core_)
    return;
  core_->commands.bind(command_bus_.commands);
  transfer_bus_.engines.bind(core_->threads);
}

void Chip::bind_units() {
  command_bus_.sram.bind(sram_.queue);
  command_bus_.sdram.bind(sdram_.queue);
  command_bus_.scratch.bind(scratch_.queue);
  command_bus_.fbi.bind(fbi_.queue);
  for (Port<ThreadAccess>* port :
       {&sram_.threads, &sdram_.threads, &scratch_.threads, &fbi_.threads})
    port->bind(transfer_bus_.threads);
  for (Port<RunMonitor>* port : {&sram_.monitor, &sdram_.monitor, &scratch_.monitor, &fbi_.monitor})
    port->bind(monitor_offer_);
  sdram_.fifos.bind(fbi_.fifos);
  if (media_)
    fbi_.media.bind(media_->device);
}

void Chip::collect_parts(const Outside& outside) {
  for (auto& engine : engines_)
    parts_.engines.push_back(&engine->engine());
  parts_.command_bus = &command_bus_.bus();
  parts_.sram = &sram_.unit();
  parts_.sdram = &sdram_.unit();
  parts_.scratch = &scratch_.unit();
  parts_.fbi = &outside.fbi;
  parts_.media = outside.media;
  parts_.core = outside.core;
}

Cycle Chip::run(WindowControl& control) {
  control_ = &control;
  sc_core::sc_start();
  return now_;
}

void Chip::activate() {
  const Cycle began = now_;
  while (now_ - began < kCyclesPerActivation) {
    now_ = parts_.advance(now_, control_->limit(now_));
    if (control_->finished(now_))
      return;  // nothing is left to trigger: the kernel returns
  }
  next_trigger(cycle_time_ * static_cast<double>(now_ - began));
}

}  // namespace nplab::simulator
