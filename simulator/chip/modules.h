// The chip's parts as modules: whom each talks to, as ports, and what it offers, as exports. The
// work is done by the plain classes inside, which `connect` joins once the ports are bound.
// `Kernel` is PlainKernel or SystemCKernel.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "isa/match/mailbox.h"
#include "simulator/base/external_units.h"
#include "simulator/bus/command_bus.h"
#include "simulator/bus/core_port.h"
#include "simulator/bus/transfer_bus.h"
#include "simulator/cache/cached_memory.h"
#include "simulator/engine/microengine.h"
#include "simulator/media/media_device.h"
#include "simulator/memory/scratch_unit.h"
#include "simulator/memory/sdram_memory.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

template <class Kernel>
class MicroengineModule : public Kernel::Module {
 public:
  MicroengineModule(const typename Kernel::Name& name, EngineId id,
                    const EngineDescription& description)
      : Kernel::Module(name), engine_(id, description) {
    threads.offer(engine_);
  }

  typename Kernel::template Port<CommandSink> commands{"commands"};
  typename Kernel::template Port<InputStates> input_states{"input_states"};
  typename Kernel::template Port<AnnotationSink> annotations{"annotations"};
  typename Kernel::template Port<RunMonitor> monitor{"monitor"};
  typename Kernel::template Export<ThreadAccess> threads{"threads"};

  void connect() {
    engine_.connect(
        {&commands.target(), &input_states.target(), &annotations.target(), &monitor.target()});
  }
  [[nodiscard]] Microengine& engine() { return engine_; }

 private:
  Microengine engine_;
};

template <class Kernel>
class CommandBusModule : public Kernel::Module {
 public:
  // `others` are masters besides the engines.
  CommandBusModule(const typename Kernel::Name& name, const ChipDescription& description,
                   unsigned others)
      : Kernel::Module(name), bus_(description, others) {
    commands.offer(bus_);
  }

  typename Kernel::template Port<UnitQueue> sram{"sram"};
  typename Kernel::template Port<UnitQueue> sdram{"sdram"};
  typename Kernel::template Port<UnitQueue> scratch{"scratch"};
  typename Kernel::template Port<UnitQueue> fbi{"fbi"};
  typename Kernel::template Export<CommandSink> commands{"commands"};

  void connect() {
    bus_.connect({&sram.target(), &sdram.target(), &scratch.target(), &fbi.target()});
  }
  [[nodiscard]] CommandBus& bus() { return bus_; }

 private:
  CommandBus bus_;
};

// The core processor's port on the command bus.
template <class Kernel>
class CoreModule : public Kernel::Module {
 public:
  // `core` outlives the module.
  CoreModule(const typename Kernel::Name& name, CorePort& core)
      : Kernel::Module(name), core_(core) {
    threads.offer(core);
  }

  typename Kernel::template Port<CommandSink> commands{"commands"};
  typename Kernel::template Export<ThreadAccess> threads{"threads"};

  void connect() { core_.connect(commands.target()); }

 private:
  CorePort& core_;
};

template <class Kernel>
class TransferBusModule : public Kernel::Module {
 public:
  explicit TransferBusModule(const typename Kernel::Name& name) : Kernel::Module(name) {
    threads.offer(bus_);
  }

  // By number; the core processor follows the engines.
  typename Kernel::template MultiPort<ThreadAccess> engines{"engines"};
  typename Kernel::template Export<ThreadAccess> threads{"threads"};

  void connect() { bus_.connect(engines.targets()); }

 private:
  TransferBus bus_;
};

// A memory unit: SramUnit or ScratchUnit.
template <class Kernel, class Unit>
class MemoryModule : public Kernel::Module {
 public:
  template <class Description>
  MemoryModule(const typename Kernel::Name& name, const Description& description)
      : Kernel::Module(name), unit_(description) {
    queue.offer(unit_);
  }

  typename Kernel::template Port<ThreadAccess> threads{"threads"};
  typename Kernel::template Port<RunMonitor> monitor{"monitor"};
  typename Kernel::template Export<UnitQueue> queue{"queue"};

  void connect() { unit_.connect({&threads.target(), &monitor.target()}); }
  [[nodiscard]] Unit& unit() { return unit_; }

 private:
  Unit unit_;
};

// The SRAM unit with the match unit on its bus.
template <class Kernel>
class SramModule : public MemoryModule<Kernel, SramUnit> {
 public:
  SramModule(const typename Kernel::Name& name, const ChipDescription& description)
      : MemoryModule<Kernel, SramUnit>(name, description.sram), base_(match_base(description)) {}

  typename Kernel::template OptionalPort<ChipDevice> match{"match"};

  void connect() {
    MemoryModule<Kernel, SramUnit>::connect();
    if (ChipDevice* const unit = match.target())
      this->unit().attach(base_, isa::match::kMailboxRange, *unit);
  }

 private:
  static std::uint32_t match_base(const ChipDescription& description) {
    return description.match ? description.match->base : 0;
  }

  std::uint32_t base_;
};

// The SDRAM unit, of whatever model, with its path to the FIFOs.
template <class Kernel>
class SdramModule : public Kernel::Module {
 public:
  SdramModule(const typename Kernel::Name& name, std::unique_ptr<SdramMemory> unit)
      : Kernel::Module(name), unit_(std::move(unit)) {
    queue.offer(*unit_);
  }

  typename Kernel::template Port<ThreadAccess> threads{"threads"};
  typename Kernel::template Port<RunMonitor> monitor{"monitor"};
  typename Kernel::template Port<FifoAccess> fifos{"fifos"};
  typename Kernel::template Export<UnitQueue> queue{"queue"};

  void connect() {
    unit_->connect({&threads.target(), &monitor.target()});
    unit_->connect_fifos(fifos.target());
  }
  [[nodiscard]] SdramMemory& unit() { return *unit_; }

 private:
  std::unique_ptr<SdramMemory> unit_;
};

// The scratch memory with the command processor that it shares with the FBI's registers and FIFOs.
template <class Kernel>
class ScratchModule : public MemoryModule<Kernel, ScratchUnit> {
 public:
  ScratchModule(const typename Kernel::Name& name, const ScratchDescription& description)
      : MemoryModule<Kernel, ScratchUnit>(name, description) {}

  typename Kernel::template Port<FbiProcessor> processor{"processor"};

  void connect() {
    MemoryModule<Kernel, ScratchUnit>::connect();
    this->unit().connect_processor(processor.target());
  }
};

// The caches before a memory, which outlives the module.
template <class Kernel>
class CacheModule : public Kernel::Module {
 public:
  // `memory` as the chip file names it.
  CacheModule(const typename Kernel::Name& name, const std::string& memory,
              const CacheDescription& description, unsigned engines, MemoryUnit& unit)
      : Kernel::Module(name), cached_(memory, description, engines, unit) {
    queue.offer(cached_);
  }

  typename Kernel::template Port<ThreadAccess> threads{"threads"};
  typename Kernel::template Export<UnitQueue> queue{"queue"};

  void connect() { cached_.connect(threads.target()); }
  [[nodiscard]] CachedMemory& cached() { return cached_; }

 private:
  CachedMemory cached_;
};

template <class Kernel>
class FbiModule : public Kernel::Module {
 public:
  // `fbi` outlives the module.
  FbiModule(const typename Kernel::Name& name, FbiUnit& fbi) : Kernel::Module(name), fbi_(fbi) {
    queue.offer(fbi);
    fifos.offer(fbi);
    input_states.offer(fbi);
    processor.offer(fbi.processor());
  }

  typename Kernel::template Port<ThreadAccess> threads{"threads"};
  typename Kernel::template Port<RunMonitor> monitor{"monitor"};
  typename Kernel::template OptionalPort<MediaDevice> media{"media"};
  typename Kernel::template Export<UnitQueue> queue{"queue"};
  typename Kernel::template Export<FifoAccess> fifos{"fifos"};
  typename Kernel::template Export<InputStates> input_states{"input_states"};
  typename Kernel::template Export<FbiProcessor> processor{"processor"};

  void connect() { fbi_.connect({&threads.target(), &monitor.target(), media.target()}); }

 private:
  FbiUnit& fbi_;
};

// One port of the media device: a name in the hierarchy.
template <class Kernel>
class MediaPortModule : public Kernel::Module {
 public:
  explicit MediaPortModule(const typename Kernel::Name& name) : Kernel::Module(name) {}
};

template <class Kernel>
class MediaModule : public Kernel::Module {
 public:
  // `media` outlives the module.
  MediaModule(const typename Kernel::Name& name, MediaDevice& media) : Kernel::Module(name) {
    device.offer(media);
    for (unsigned i = 0; i < media.ports(); ++i)
      ports_.push_back(
          std::make_unique<MediaPortModule<Kernel>>(("port" + std::to_string(i)).c_str()));
  }

  typename Kernel::template Export<MediaDevice> device{"device"};

 private:
  std::vector<std::unique_ptr<MediaPortModule<Kernel>>> ports_;
};

}  // namespace nplab::simulator
