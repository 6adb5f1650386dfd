// References: the command that an instruction sends.
#include "simulator/engine/dispatch.h"
#include "simulator/engine/semantics/routines.h"

namespace nplab::simulator {
namespace {

Command& start_command(ExecutionCore& core, const ExecutionSlot& slot) {
  Command& command = core.command;
  command.operation = slot.operation;
  command.unit = slot.unit;
  command.function = slot.function;
  command.thread = ThreadId(core.engine, core.context);
  command.transfer = slot.transfer;
  command.transfer.index =
      static_cast<std::uint8_t>(slot.transfer.index + core.context.index() * slot.transfer_step);
  command.count = slot.count;
  command.tokens = slot.tokens;
  command.csr = slot.csr;
  command.address = 0;
  command.second_address = 0;
  command.data = 0;
  command.byte_mask = 0xff;
  command.signals = (slot.tokens & (static_cast<unsigned>(isa::Token::kCtxSwap) |
                                    static_cast<unsigned>(isa::Token::kSigDone))) != 0;
  return command;
}

// The byte address is a + b.
template <class Places>
Flow addressed(ExecutionCore& core, const ExecutionSlot& slot) {
  Command& command = start_command(core, slot);
  core.last_a = Places::read(core, slot.a);
  command.address = core.last_a + Places::read(core, slot.b);
  return hand_back(core, slot, Flow::kReference);
}

// a: the SDRAM address, b: the address in the FIFO.
template <class Places>
Flow between_sdram_and_fifo(ExecutionCore& core, const ExecutionSlot& slot) {
  Command& command = start_command(core, slot);
  core.last_a = Places::read(core, slot.a);
  command.address = core.last_a;
  command.second_address = Places::read(core, slot.b);
  return hand_back(core, slot, Flow::kReference);
}

Flow without_address(ExecutionCore& core, const ExecutionSlot& slot) {
  start_command(core, slot);
  return hand_back(core, slot, Flow::kReference);
}

// The data is a register or an immediate; the other is 0.
template <class Places>
Flow fast_wr(ExecutionCore& core, const ExecutionSlot& slot) {
  Command& command = start_command(core, slot);
  core.last_a = Places::read(core, slot.a);
  command.data = core.last_a | slot.immediate;
  return hand_back(core, slot, Flow::kReference);
}

template <class Places>
Routine reference_routine_in(isa::Operation operation) {
  using isa::Operation;
  switch (operation) {
    case Operation::kSramRead:
    case Operation::kSramWrite:
    case Operation::kSramReadLock:
    case Operation::kSramWriteUnlock:
    case Operation::kSramUnlock:
    case Operation::kSramBitWr:
    case Operation::kSramPush:
    case Operation::kSdramRead:
    case Operation::kSdramWrite:
    case Operation::kScratchRead:
    case Operation::kScratchWrite:
    case Operation::kScratchBitWr:
    case Operation::kScratchIncr:
    case Operation::kRFifoRd:
    case Operation::kTFifoWr: return addressed<Places>;
    case Operation::kSdramRFifoRd:
    case Operation::kSdramTFifoWr: return between_sdram_and_fifo<Places>;
    case Operation::kSramPop:
    case Operation::kCsrRead:
    case Operation::kCsrWrite:
    case Operation::kHash48:
    case Operation::kHash64: return without_address;
    case Operation::kFastWr: return fast_wr<Places>;
    default: return nullptr;
  }
}

}  // namespace

Routine reference_routine(isa::Operation operation, OperandPlaces places) {
  return places == OperandPlaces::kInBlock ? reference_routine_in<InBlock>(operation)
                                           : reference_routine_in<Anywhere>(operation);
}

}  // namespace nplab::simulator
