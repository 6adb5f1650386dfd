// The SystemC side of the chip's parts: a module each, with the ports that say whom it talks to.
// The work is done by the plain classes inside, which are joined when elaboration ends.
#pragma once

#include <memory>
#include <vector>

#include <systemc>

#include "simulator/base/external_units.h"
#include "simulator/bus/command_bus.h"
#include "simulator/bus/core_port.h"
#include "simulator/bus/transfer_bus.h"
#include "simulator/engine/microengine.h"
#include "simulator/memory/scratch_unit.h"
#include "simulator/memory/sdram_unit.h"
#include "simulator/memory/sram_unit.h"
#include "simulator/parameters/chip_description.h"
#include "simulator/systemc/binding.h"

namespace nplab::simulator {

class MicroengineModule : public sc_core::sc_module {
 public:
  MicroengineModule(const sc_core::sc_module_name& name, EngineId id,
                    const EngineDescription& description);

  Port<CommandSink> commands{"commands"};
  Port<FbiUnit> fbi{"fbi"};  // input states
  Port<AnnotationSink> annotations{"annotations"};
  Port<RunMonitor> monitor{"monitor"};
  Export<ThreadAccess> threads{"threads"};

  [[nodiscard]] Microengine& engine() { return engine_; }

 private:
  void end_of_elaboration() override;

  Microengine engine_;
  Offer<ThreadAccess> offer_;
};

class CommandBusModule : public sc_core::sc_module {
 public:
  CommandBusModule(const sc_core::sc_module_name& name, const ChipDescription& description,
                   unsigned others);

  Port<UnitQueue> sram{"sram"};
  Port<UnitQueue> sdram{"sdram"};
  Port<UnitQueue> scratch{"scratch"};
  Port<UnitQueue> fbi{"fbi"};
  Export<CommandSink> commands{"commands"};

  [[nodiscard]] CommandBus& bus() { return bus_; }

 private:
  void end_of_elaboration() override;

  CommandBus bus_;
  Offer<CommandSink> offer_;
};

// The core processor's port.
class CoreModule : public sc_core::sc_module {
 public:
  // `core` outlives the module.
  CoreModule(const sc_core::sc_module_name& name, CorePort& core);

  Port<CommandSink> commands{"commands"};
  Export<ThreadAccess> threads{"threads"};

 private:
  void end_of_elaboration() override;

  CorePort& core_;
  Offer<ThreadAccess> offer_;
};

class TransferBusModule : public sc_core::sc_module {
 public:
  explicit TransferBusModule(const sc_core::sc_module_name& name);

  MultiPort<ThreadAccess> engines{"engines"};  // by number, and behind them the core
  Export<ThreadAccess> threads{"threads"};

 private:
  void end_of_elaboration() override;

  TransferBus bus_;
  Offer<ThreadAccess> offer_;
};

// A memory unit: SramUnit, SdramUnit or ScratchUnit.
template <class Unit>
class MemoryModule : public sc_core::sc_module {
 public:
  template <class Description>
  MemoryModule(const sc_core::sc_module_name& name, const Description& description)
      : sc_module(name), unit_(description), offer_(unit_) {
    queue.bind(offer_);
  }

  Port<ThreadAccess> threads{"threads"};
  Port<RunMonitor> monitor{"monitor"};
  Export<UnitQueue> queue{"queue"};

  [[nodiscard]] Unit& unit() { return unit_; }

 protected:
  void end_of_elaboration() override { unit_.connect({&threads->target(), &monitor->target()}); }

 private:
  Unit unit_;
  Offer<UnitQueue> offer_;
};

using SramModule = MemoryModule<SramUnit>;
using ScratchModule = MemoryModule<ScratchUnit>;

class SdramModule final : public MemoryModule<SdramUnit> {
 public:
  SdramModule(const sc_core::sc_module_name& name, const SdramDescription& description);

  Port<FifoAccess> fifos{"fifos"};

 private:
  void end_of_elaboration() override;
};

class FbiModule : public sc_core::sc_module {
 public:
  // `fbi` outlives the module.
  FbiModule(const sc_core::sc_module_name& name, FbiUnit& fbi);

  Port<ThreadAccess> threads{"threads"};
  Port<RunMonitor> monitor{"monitor"};
  sc_core::sc_port<Binding<MediaUnit>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> media{"media"};
  Export<UnitQueue> queue{"queue"};
  Export<FifoAccess> fifos{"fifos"};
  Export<FbiUnit> unit{"unit"};

 private:
  void end_of_elaboration() override;

  FbiUnit& fbi_;
  Offer<UnitQueue> queue_offer_;
  Offer<FifoAccess> fifo_offer_;
  Offer<FbiUnit> unit_offer_;
};

// One port of the media device.
class MediaPortModule : public sc_core::sc_module {
 public:
  explicit MediaPortModule(const sc_core::sc_module_name& name) : sc_module(name) {}
  Port<MediaUnit> device{"device"};
};

class MediaModule : public sc_core::sc_module {
 public:
  // `media` outlives the module.
  MediaModule(const sc_core::sc_module_name& name, MediaUnit& media);

  Export<MediaUnit> device{"device"};

 private:
  Offer<MediaUnit> offer_;
  std::vector<std::unique_ptr<MediaPortModule>> ports_;
};

}  // namespace nplab::simulator
