// What the modules of the chip say to each other. Interfaces are narrow and every fact carries its
// cycle. The rule that makes the order of evaluation irrelevant: a consumer working on cycle t
// takes only facts stamped before t. The chip runs the engines through a window of cycles, then the
// command bus, then the units (simulator/chip/chip_parts.h); whoever is ahead of the facts that it
// needs stops before the cycle that needs them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/program_image.h"
#include "simulator/base/command.h"
#include "simulator/base/fault.h"
#include "simulator/base/ids.h"
#include "simulator/base/stall_cause.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

class StateHash;

// Engine -> command bus: the engine's command FIFO.
class CommandSink {
 public:
  virtual ~CommandSink() = default;
  // Whether the FIFO of `engine` has room by the grants that have been made.
  [[nodiscard]] virtual bool can_accept(EngineId engine) const = 0;
  // Of a FIFO without room: it is full in every cycle before this one. Whether it is then, is not
  // known yet.
  [[nodiscard]] virtual Cycle full_before(EngineId engine) const = 0;
  // Enters the FIFO in cycle `command.issued`; requires can_accept.
  virtual void push(const Command& command) = 0;
  // From cycle `from` on an instruction of `engine` is held by the FIFO without room. A cycle is
  // charged to the queue that refused the FIFO's oldest command in the cycle before: `refused` is
  // added to until that command is granted. Cycles in which no queue did are the bus's and not
  // added.
  virtual void hold(EngineId engine, Cycle from, CyclesByStallCause& refused) = 0;
  // How much has been added, of `cause`, for cycles from `end` on: a refusal holds until the queue
  // can change.
  struct ChargedAhead {
    StallCause cause{};
    Cycles cycles = 0;
  };
  [[nodiscard]] virtual ChargedAhead charged_ahead(EngineId engine, Cycle end) const = 0;
};

// Command bus -> unit: the unit's queues.
class UnitQueue {
 public:
  virtual ~UnitQueue() = default;
  // Whether the queue `command` belongs to has room in cycle `at`, counting what left it before
  // `at` and what is under way to it. The unit catches up with the cycles before `at`.
  [[nodiscard]] virtual bool has_room(const Command& command, Cycle at) = 0;
  // A queue that had no room for `command` has none in any cycle before this one.
  [[nodiscard]] virtual Cycle full_before(const Command&) const { return Cycle(); }
  // Of a queue that has just had no room for `command`: which it is, and until when it surely has
  // none.
  struct Refusal {
    StallCause queue{};
    Cycle until;
  };
  [[nodiscard]] virtual Refusal refusal(const Command& command) const = 0;
  // The command arrives in cycle `at`; the unit may decide on it from `at` + 1 on. Requires
  // has_room when granted.
  virtual void deliver(const Command& command, Cycle at) = 0;
};

// What a unit sends a thread in cycle `at`, which may lie in the future; the thread's instructions
// see it from `at` + 1 on. Answers of one unit to one thread are given in the order of their
// cycles; of those that come in the same cycle from several units, the units' order decides.
struct Answer {
  isa::Unit unit{};
  std::uint16_t events = 0;                  // to be set, bits of isa::Event
  TransferRegister first;                    // the first read-transfer register to be written
  std::span<const std::uint32_t> longwords;  // none: events alone
  Cycle at;
};

// Unit -> engines: transfer registers and events of all threads.
class ThreadAccess {
 public:
  virtual ~ThreadAccess() = default;
  // Copies `longwords.size()` write-transfer registers from `first` on, as they stand after cycle
  // `at`, at most kReach cycles ago. Reads past the context's eighth register wrap to its first.
  virtual void pull(ThreadId thread, TransferRegister first, std::span<std::uint32_t> longwords,
                    Cycle at) = 0;
  virtual void answer(ThreadId thread, const Answer& answer) = 0;

  // An event that is not the completion of a reference.
  void signal(ThreadId thread, isa::Event event, Cycle at) {
    answer(thread, {isa::Unit::kNone, static_cast<std::uint16_t>(event), {}, {}, at});
  }
};

// SDRAM unit -> FBI: the path between SDRAM and the FIFOs that passes no transfer register. Both
// addresses are given so that frames can be followed through memory; longwords are in address
// order. `at` is the cycle in which the unit chose the reference; the thread learns of its
// completion later.
class FifoAccess {
 public:
  virtual ~FifoAccess() = default;
  // Receive FIFO to SDRAM: fills `longwords` from byte address `fifo_address` (64 * element +
  // offset).
  virtual void read_receive_fifo(std::uint32_t fifo_address, std::uint32_t sdram_address,
                                 std::span<std::uint32_t> longwords, Cycle at) = 0;
  // SDRAM to transmit FIFO.
  virtual void write_transmit_fifo(std::uint32_t fifo_address, std::uint32_t sdram_address,
                                   std::span<const std::uint32_t> longwords, Cycle at) = 0;
  // Bytes of FIFO that the path reaches: an access beyond is a fault of the issuing thread.
  [[nodiscard]] virtual std::uint32_t fifo_bytes() const = 0;
};

// SDRAM -> host: an engine's read of `address` completes in cycle `done`.
class SdramReadWatch {
 public:
  virtual ~SdramReadWatch() = default;
  virtual void read(std::uint32_t address, Cycle done) = 0;
};

// FBI -> engines: the states that br_inp_state tests, as they stand after the last cycle before
// `at`.
class InputStates {
 public:
  virtual ~InputStates() = default;
  // Requires that `at` is not after known_until().
  [[nodiscard]] virtual bool input_state(isa::InputState state, Cycle at) const = 0;
  [[nodiscard]] virtual Cycle known_until() const = 0;
};

// Engine -> host: an annotation was executed in cycle `at`, with its operands' values.
class AnnotationSink {
 public:
  virtual ~AnnotationSink() = default;
  virtual void annotation(isa::Annotation::Kind kind, ThreadId thread, std::uint32_t first,
                          std::uint32_t second, Cycle at) = 0;
};

// Anyone -> the run: simulated faults, and progress for the watchdog (a packet event, a thread that
// ended).
class RunMonitor {
 public:
  virtual ~RunMonitor() = default;
  // The run ends kReach cycles later; the earliest fault counts.
  virtual void fault(Fault fault) = 0;
  virtual void progress(Cycle at) = 0;
};

// Host access to memory, at no cost in cycles: initial contents, frame comparison, `nplab exec`.
// Byte addresses, multiples of 4, within the memory.
class MemoryBackdoor {
 public:
  virtual ~MemoryBackdoor() = default;
  [[nodiscard]] virtual std::uint32_t size() const = 0;  // bytes
  [[nodiscard]] virtual std::uint32_t peek(std::uint32_t address) const = 0;
  virtual void poke(std::uint32_t address, std::uint32_t longword) = 0;
};

// What a deadlock report and a state comparison ask of every module.
class Inspectable {
 public:
  virtual ~Inspectable() = default;
  // Appends a sentence for everything that is queued or waits in this module.
  virtual void describe_waiting(std::vector<std::string>& lines) const = 0;
  // Adds everything that decides the future: registers, memory, counters, what is in flight.
  virtual void hash(StateHash& hash) const = 0;
};

}  // namespace nplab::simulator
