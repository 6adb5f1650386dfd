#include "simulator/systemc/modules.h"

#include <string>

namespace nplab::simulator {

MicroengineModule::MicroengineModule(const sc_core::sc_module_name& name, EngineId id,
                                     const EngineDescription& description)
    : sc_module(name), engine_(id, description), offer_(engine_) {
  threads.bind(offer_);
}

void MicroengineModule::end_of_elaboration() {
  engine_.connect(
      {&commands->target(), &fbi->target(), &annotations->target(), &monitor->target()});
}

CommandBusModule::CommandBusModule(const sc_core::sc_module_name& name,
                                   const ChipDescription& description, unsigned others)
    : sc_module(name), bus_(description, others), offer_(bus_) {
  commands.bind(offer_);
}

void CommandBusModule::end_of_elaboration() {
  bus_.connect({&sram->target(), &sdram->target(), &scratch->target(), &fbi->target()});
}

CoreModule::CoreModule(const sc_core::sc_module_name& name, CorePort& core)
    : sc_module(name), core_(core), offer_(core) {
  threads.bind(offer_);
}

void CoreModule::end_of_elaboration() {
  core_.connect(commands->target());
}

TransferBusModule::TransferBusModule(const sc_core::sc_module_name& name)
    : sc_module(name), offer_(bus_) {
  threads.bind(offer_);
}

void TransferBusModule::end_of_elaboration() {
  std::vector<ThreadAccess*> targets;
  for (int i = 0; i < engines.size(); ++i)
    targets.push_back(&engines[i]->target());
  bus_.connect(std::move(targets));
}

SdramModule::SdramModule(const sc_core::sc_module_name& name, const SdramDescription& description)
    : MemoryModule(name, description) {}

void SdramModule::end_of_elaboration() {
  MemoryModule::end_of_elaboration();
  unit().connect_fifos(fifos->target());
}

FbiModule::FbiModule(const sc_core::sc_module_name& name, FbiUnit& fbi)
    : sc_module(name), fbi_(fbi), queue_offer_(fbi), fifo_offer_(fbi), unit_offer_(fbi) {
  queue.bind(queue_offer_);
  fifos.bind(fifo_offer_);
  unit.bind(unit_offer_);
}

void FbiModule::end_of_elaboration() {
  fbi_.connect({&threads->target(), &monitor->target()});
}

MediaModule::MediaModule(const sc_core::sc_module_name& name, MediaUnit& media)
    : sc_module(name), offer_(media) {
  device.bind(offer_);
  for (unsigned i = 0; i < media.ports(); ++i) {
    ports_.push_back(std::make_unique<MediaPortModule>(("port" + std::to_string(i)).c_str()));
    ports_.back()->device.bind(offer_);
  }
}

}  // namespace nplab::simulator
