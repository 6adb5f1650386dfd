// Registers: which are reserved, and the thread's frame of locals and spills.
#pragma once

#include "compiler/backend/MicroengineDescriptions.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"

#define GET_REGINFO_HEADER
#include "isa/MicroengineGenRegisterInfo.inc"

namespace llvm {

class MicroengineRegisterInfo : public MicroengineGenRegisterInfo {
 public:
  MicroengineRegisterInfo();

  const MCPhysReg* getCalleeSavedRegs(const MachineFunction*) const override;
  BitVector getReservedRegs(const MachineFunction& Function) const override;
  bool eliminateFrameIndex(MachineBasicBlock::iterator Position, int, unsigned Operand,
                           RegScavenger*) const override;
  Register getFrameRegister(const MachineFunction&) const override { return Microengine::B15; }
  const TargetRegisterClass* getPointerRegClass(const MachineFunction&, unsigned) const override {
    return &Microengine::GPRRegClass;
  }
  // Never widen a class: the bank decision must survive live-range splitting.
  const TargetRegisterClass* getLargestLegalSuperClass(const TargetRegisterClass* Class,
                                                       const MachineFunction&) const override {
    return Class;
  }
};

}  // namespace llvm
