// Facts of an instruction that the description states (isa/description/formats.td puts them into
// TSFlags; pseudo instructions have none of them).
#pragma once

#include "isa/instruction.h"
#include "llvm/MC/MCInstrDesc.h"

namespace llvm::Microengine {

inline bool isReference(const MCInstrDesc& Description) {
  return Description.TSFlags & 1;
}

// Of a reference: what it has without ctx_swap, kNone.
inline nplab::isa::AbortClass abortClassOf(const MCInstrDesc& Description) {
  return static_cast<nplab::isa::AbortClass>(Description.TSFlags >> 1 & 7);
}

// The unit that completes a reference.
inline nplab::isa::Unit unitOf(const MCInstrDesc& Description) {
  return static_cast<nplab::isa::Unit>(Description.TSFlags >> 4 & 7);
}

// Whether the overflow flag is clear once the instruction has written the condition codes.
inline bool clearsOverflow(const MCInstrDesc& Description) {
  return Description.TSFlags >> 7 & 1;
}

}  // namespace llvm::Microengine
