#include "compiler/backend/MicroengineRegisterInfo.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineFrameLowering.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#define GET_REGINFO_TARGET_DESC
#include "isa/MicroengineGenRegisterInfo.inc"

using namespace llvm;

MicroengineRegisterInfo::MicroengineRegisterInfo() : MicroengineGenRegisterInfo(Microengine::B15) {}

const MCPhysReg* MicroengineRegisterInfo::getCalleeSavedRegs(const MachineFunction*) const {
  static const MCPhysReg None[] = {0};
  return None;
}

BitVector MicroengineRegisterInfo::getReservedRegs(const MachineFunction& Function) const {
  BitVector Reserved(getNumRegs());
  markSuperRegs(Reserved, Microengine::CC);
  for (MCPhysReg Register : Microengine::AbsoluteGPRRegClass)
    markSuperRegs(Reserved, Register);
  for (MCPhysReg Register : Microengine::AbsoluteReadRegClass)
    markSuperRegs(Reserved, Register);
  for (MCPhysReg Register : Microengine::AbsoluteWriteRegClass)
    markSuperRegs(Reserved, Register);
  for (MCPhysReg Register : reservedForProgram(engineOptionsOf(Function)))
    markSuperRegs(Reserved, Register);
  return Reserved;
}

// A frame access keeps its pseudo instruction; only the offset from the frame's base is settled
// here. The registers it needs are found in MicroengineExpandPseudos, which knows what is live.
bool MicroengineRegisterInfo::eliminateFrameIndex(MachineBasicBlock::iterator Position, int,
                                                  unsigned Operand, RegScavenger*) const {
  MachineInstr& Instruction = *Position;
  const MachineFrameInfo& Frame = Instruction.getMF()->getFrameInfo();
  int64_t Offset = Frame.getObjectOffset(Instruction.getOperand(Operand).getIndex()) +
                   microengineFrameStart(*Instruction.getMF());
  if (Instruction.isDebugInstr()) {
    Instruction.getOperand(Operand).ChangeToRegister(Microengine::B15, false);
    return false;
  }
  Instruction.getOperand(Operand).ChangeToImmediate(0);
  MachineOperand& OffsetOperand = Instruction.getOperand(Operand + 1);
  OffsetOperand.setImm(OffsetOperand.getImm() + Offset);
  return false;
}
