// Accesses to a thread's frame, once registers are allocated: each becomes a reference relative to
// the frame's base, through a transfer register that is free there.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"

namespace llvm {

// The longwords of a burst, or the register itself.
SmallVector<MCRegister, 8> microengineWordsOf(MCRegister Value,
                                              const TargetRegisterInfo& Registers);

// An error at the instruction's line.
void refuseMicroengineInstruction(const MachineInstr& Refused, const char* Message);

// FRAME_ADDRESS, FRAME_READ, FRAME_WRITE, SPILL and RELOAD of the block.
void expandMicroengineFrameAccesses(MachineBasicBlock& Block);

}  // namespace llvm
