#include "compiler/backend/MicroengineCalledFunctions.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineDescriptions.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

bool llvm::isMicroengineCalled(const Function& Callee) {
  return Callee.hasFnAttribute(MicroengineHeightAttribute);
}

// From the lower end of both banks: the upper end is for the frame and for shared variables.
MCRegister llvm::microengineArgumentRegister(unsigned Longword) {
  return (Longword % 2 == 0 ? Microengine::A0 : Microengine::B0) + Longword / 2;
}

MCRegister llvm::microengineResultRegister(unsigned Longword) {
  return microengineArgumentRegister(Longword);
}

MCRegister llvm::microengineReturnRegister(const Function& Callee) {
  const auto Height = Callee.getFnAttributeAsParsedInteger(MicroengineHeightAttribute);
  constexpr unsigned First = MicroengineArgumentLongwords / 2;
  return (Height % 2 == 0 ? Microengine::B0 : Microengine::A0) + First + Height / 2;
}

const MicroengineCalledFunctions::Facts& MicroengineCalledFunctions::of(
    const Function& Callee) const {
  auto Found = Generated.find(Callee.getName().str());
  assert(Found != Generated.end() && "callees are generated before their callers");
  return Found->second;
}

const MicroengineCalledFunctions::Facts& MicroengineCalledFunctions::calledBy(
    const MachineInstr& Call) const {
  return of(*cast<Function>(Call.getOperand(0).getGlobal()));
}

MicroengineFramePart MicroengineCalledFunctions::framesBelow(const Function& Caller) const {
  MicroengineFramePart Below;
  if (Generated.empty())
    return Below;
  for (const Instruction& Instruction : instructions(Caller)) {
    const auto* Call = dyn_cast<CallBase>(&Instruction);
    const Function* Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !isMicroengineCalled(*Callee))
      continue;
    const MicroengineFramePart& Frame = of(*Callee).Frame;
    Below.End = std::max(Below.End, Frame.End);
    Below.Alignment = std::max(Below.Alignment, Frame.Alignment);
  }
  return Below;
}

void MicroengineCalledFunctions::noteFrame(const Function& Function, MicroengineFramePart Frame) {
  Generated[Function.getName().str()].Frame = Frame;
}

void MicroengineCalledFunctions::note(const MachineFunction& Function) {
  const TargetRegisterInfo& Registers = *Function.getSubtarget().getRegisterInfo();
  Facts& Found = Generated[Function.getName().str()];
  BitVector Overwritten(Registers.getNumRegUnits());
  auto Overwrite = [&](MCRegister Register) {
    for (MCRegUnit Unit : Registers.regunits(Register))
      Overwritten.set(Unit);
  };
  Overwrite(microengineReturnRegister(Function.getFunction()));
  Overwrite(Microengine::CC);
  auto IsSingle = [&](MCRegister Register) {
    return hasSingleElement(Registers.regunits(Register));
  };
  for (const MachineBasicBlock& Block : Function)
    for (const MachineInstr& Instruction : Block) {
      for (const MachineOperand& Operand : Instruction.operands()) {
        if (Operand.isReg() && Operand.isDef() && Operand.getReg().isPhysical())
          Overwrite(Operand.getReg());
        if (Operand.isRegMask())
          for (unsigned Register = 1; Register != Registers.getNumRegs(); ++Register)
            if (IsSingle(Register) && Operand.clobbersPhysReg(Register))
              Overwrite(Register);
      }
      const bool IsReference = Microengine::isReference(Instruction.getDesc());
      Found.HasReferences |= IsReference;
      Found.Swaps |= Instruction.getOpcode() == Microengine::CTX_ARB ||
                     (IsReference && Microengine::swaps(const_cast<MachineInstr&>(Instruction)));
      if (Instruction.getOpcode() == Microengine::CALL) {
        Found.HasReferences |= calledBy(Instruction).HasReferences;
        Found.Swaps |= calledBy(Instruction).Swaps;
      }
    }
  Found.Preserved.assign(MachineOperand::getRegMaskSize(Registers.getNumRegs()), 0);
  for (unsigned Register = 1; Register != Registers.getNumRegs(); ++Register)
    if (none_of(Registers.regunits(Register), [&](MCRegUnit Unit) { return Overwritten[Unit]; }))
      Found.Preserved[Register / 32] |= 1u << (Register % 32);
}
