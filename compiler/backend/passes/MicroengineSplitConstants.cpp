// Loads the constants of PHIs at the end of the blocks they come from.
//
// Expects: SSA, before banks are assigned.
// Does: elimination of common subexpressions has made one value of all zeros. It would be live from
// the start, hold joins that have nothing else in common in one bank, and stand on every path. One
// instruction loads it again, often in a slot.
//
//   before   bb.0: %0 = IMMED 0    ...    bb.3: %1 = PHI %0, %bb.1, %2, %bb.2
//   after    bb.1: %3 = IMMED 0    ...    bb.3: %1 = PHI %3, %bb.1, %2, %bb.2
#include "compiler/backend/passes/MicroengineSplitConstants.h"

#include "compiler/backend/MicroengineDescriptions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace {

class SplitConstants : public MachineFunctionPass {
 public:
  static char ID;
  SplitConstants() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine split constants"; }
  void getAnalysisUsage(AnalysisUsage& Usage) const override {
    Usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

  bool runOnMachineFunction(MachineFunction& Function) override {
    LoadedAtEnd.clear();
    // Not while going through Block.phis(): loads come before what that range ends at, and go.
    SmallVector<MachineInstr*, 32> Phis;
    for (MachineBasicBlock& Block : Function)
      for (MachineInstr& Phi : Block.phis())
        Phis.push_back(&Phi);
    bool Changed = false;
    for (MachineInstr* Phi : Phis)
      for (unsigned Operand = 1; Operand < Phi->getNumOperands(); Operand += 2)
        Changed |= split(Phi->getOperand(Operand), *Phi->getOperand(Operand + 1).getMBB());
    return Changed;
  }

 private:
  bool split(MachineOperand& Incoming, MachineBasicBlock& From);

  // By where it is needed and what it was: PHIs that one block gives the same constant may share a
  // register.
  DenseMap<std::pair<const MachineBasicBlock*, Register>, Register> LoadedAtEnd;
};

char SplitConstants::ID;

bool SplitConstants::split(MachineOperand& Incoming, MachineBasicBlock& From) {
  MachineRegisterInfo& Values = From.getParent()->getRegInfo();
  Register Constant = Incoming.getReg();
  MachineInstr* Load = Values.getUniqueVRegDef(Constant);
  if (!Load || Load->getOpcode() != Microengine::IMMED || !Load->getOperand(1).isImm() ||
      Incoming.getSubReg())
    return false;
  Register& Fresh = LoadedAtEnd[{&From, Constant}];
  if (!Fresh && Values.hasOneNonDBGUse(Constant) && Load->getParent() == &From)
    return false;
  if (!Fresh) {
    Fresh = Values.cloneVirtualRegister(Constant);
    const TargetInstrInfo& Instructions = *From.getParent()->getSubtarget().getInstrInfo();
    BuildMI(From, From.getFirstTerminator(), Load->getDebugLoc(),
            Instructions.get(Microengine::IMMED), Fresh)
        .add(Load->getOperand(1))
        .add(Load->getOperand(2));
  }
  Incoming.setReg(Fresh);
  if (Values.use_nodbg_empty(Constant)) {
    Values.markUsesInDebugValueAsUndef(Constant);
    Load->eraseFromParent();
  }
  return true;
}

}  // namespace

FunctionPass* llvm::createMicroengineSplitConstants() {
  return new SplitConstants;
}
