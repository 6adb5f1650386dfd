// A conditional branch to the head of its loop is taken more often than not: its target is fetched
// before the branch is decided (`guess_branch`), so that going round aborts one instruction at
// most. Where a profile knows of a branch, it says whether that is taken clearly more often than
// not.
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineDescriptions.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/passes/MicroengineRemarks.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace llvm::Microengine;
using nplab::isa::AbortClass;

namespace {

// Branches on the engine's state (context, input state, signal) are never predicted.
bool isPredictable(const MachineInstr& Branch) {
  AbortClass Class = abortClassOf(Branch.getDesc());
  return Class == AbortClass::kCondition || Class == AbortClass::kTest;
}

class GuessBranches : public MachineFunctionPass {
 public:
  static char ID;
  GuessBranches() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine branch guesses"; }
  void getAnalysisUsage(AnalysisUsage& Usage) const override {
    Usage.addRequired<MachineLoopInfoWrapperPass>();
    Usage.addRequired<MachineBranchProbabilityInfoWrapperPass>();
    Usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

  bool runOnMachineFunction(MachineFunction& Function) override {
    const MachineLoopInfo& Loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    const auto& Probabilities = getAnalysis<MachineBranchProbabilityInfoWrapperPass>().getMBPI();
    const BranchProbability Often(3, 5);  // a wrong guess aborts as much as it saves when right
    const bool HasProfile = Function.getFunction().hasFnAttribute(MicroengineProfileAttribute);
    auto IsProfiled = [&](const MachineBasicBlock& Block) {
      const BasicBlock* Source = Block.getBasicBlock();
      return HasProfile && Source && Source->getTerminator()->hasMetadata(LLVMContext::MD_prof);
    };
    bool Changed = false;
    for (MachineBasicBlock& Block : Function)
      for (MachineInstr& Branch : Block.terminators()) {
        if (!Branch.isConditionalBranch() || !isPredictable(Branch))
          continue;
        unsigned Last = Branch.getNumExplicitOperands() - 1;
        const MachineBasicBlock* Target = Branch.getOperand(Last - 1).getMBB();
        const MachineLoop* Loop = Loops.getLoopFor(Target);
        bool GoesRound = Loop && Loop->getHeader() == Target && Loop->contains(&Block);
        bool IsOften = Probabilities.getEdgeProbability(&Block, Target) >= Often;
        if (IsProfiled(Block) ? !IsOften : !GoesRound)
          continue;
        Branch.getOperand(Last).setImm(Branch.getOperand(Last).getImm() | kGuessBranchToken);
        remark(Branch, kGuessBranchesName, "Guessed",
               IsProfiled(Block)
                   ? "the profile says that this branch is mostly taken: its target is fetched"
                   : "this branch goes round its loop: its target is fetched");
        Changed = true;
      }
    return Changed;
  }
};

char GuessBranches::ID;

}  // namespace

FunctionPass* llvm::createMicroengineGuessBranches() {
  return new GuessBranches;
}
