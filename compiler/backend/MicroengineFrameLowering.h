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

}  // namespace llvm
