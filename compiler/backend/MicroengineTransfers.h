// Plain reads and writes of the memories. A unit serves those that one thread issues in the order
// of their issue, and completes reads, and writes, in that order too (docs/chip.md, "The way of a
// reference"): the event of a later one says that the earlier ones are done.
#pragma once

#include <optional>

#include "compiler/backend/MicroengineDescriptions.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "isa/program_image.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"

namespace llvm::Microengine {

using nplab::isa::MemorySpace;

struct Transfer {
  MemorySpace Unit;
  bool Reads;
};

// Locks wait for others and queue operations are not plain transfers: nothing for them.
std::optional<Transfer> transferOf(const MachineInstr& Instruction);

// Whether C asks for the access as such: neither volatile nor an intrinsic nor the compiler's own.
// It may be merged with others, and a read be issued earlier than it stands.
bool isOrdinary(const MachineInstr& Reference);

// A read of so many longwords (SDRAM: an even number) at a register and an offset, and where its
// data arrives.
unsigned readOpcode(MemorySpace Unit, unsigned Longwords);
const TargetRegisterClass& readClass(MemorySpace Unit, unsigned Longwords);

// Whether it reads or writes a register that all contexts share: its order against waits is the
// program's.
bool touchesShared(const MachineInstr& Instruction);

// The event (ctx_arb) with which any reference completes.
unsigned eventOf(const MachineInstr& Reference);

inline MachineOperand& tokensOf(MachineInstr& Reference) {
  return Reference.getOperand(Reference.getNumExplicitOperands() - 1);
}
// Whether the thread sleeps until the reference is done.
inline bool swaps(MachineInstr& Reference) {
  return tokensOf(Reference).getImm() & kContextSwapToken;
}

// Whether it signals its event instead.
inline bool onlySignals(MachineInstr& Reference) {
  return !swaps(Reference) && tokensOf(Reference).getImm() & kSignalToken;
}

// Calls `visit` for what follows the reference, on every path, until its event is waited for:
// the waits too. Ends where `visit` says false.
void visitUntilWait(MachineInstr& Reference, function_ref<bool(MachineInstr&)> visit);

// Whether the program itself starts references, waits for events or has inline assembly: the
// compiler then leaves the events to it.
bool usesEvents(const MachineFunction& Function);

// Whether one ctx_arb may wait for references to several units: a word more, and a swap less, where
// events are free. Units are in no order with each other: only ordinary references may be under way
// together, since others may be what reports that these are done.
inline bool waitsForSeveralUnits(const MachineFunction& Function) {
  return !Function.getFunction().hasOptSize() && !usesEvents(Function);
}

// Whether the event of `Later` says that `Earlier`, issued before it, is done.
inline bool covers(Transfer Later, Transfer Earlier) {
  return Later.Unit == Earlier.Unit && (Later.Reads || !Earlier.Reads);
}

}  // namespace llvm::Microengine
