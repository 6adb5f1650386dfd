// There is no stack: without recursion the frame is one static place per thread, in which each
// function has its own part.
#pragma once

#include "llvm/CodeGen/TargetFrameLowering.h"

namespace llvm {

class MicroengineFrameLowering : public TargetFrameLowering {
 public:
  MicroengineFrameLowering() : TargetFrameLowering(StackGrowsUp, Align(4), 0) {}

  void emitPrologue(MachineFunction& Function, MachineBasicBlock& Entry) const override;
  void emitEpilogue(MachineFunction&, MachineBasicBlock&) const override {}
  // Of a variable: its distance from the frame's base, which is the register.
  StackOffset getFrameIndexReference(const MachineFunction& Function, int Index,
                                     Register& Base) const override;
  bool hasFP(const MachineFunction&) const override { return false; }
};

// Where the function's own part begins, in bytes from the start of the thread's frame: after those
// of all that it calls, aligned for its objects, and never at address 0, which is a null pointer.
uint64_t microengineFrameStart(const MachineFunction& Function);

}  // namespace llvm
