// Sets `guess_branch`, the static prediction of a branch as taken.
//
// Expects: expanded instructions in the final order of blocks.
// Does: a conditional branch to the head of its loop is taken more often than not. Its target is
// fetched before the branch is decided, so that an iteration aborts one instruction at most. Where
// a profile covers a branch, it says whether that is taken clearly more often than not.
//
//   before   br!=0[loop#]
//   after    br!=0[loop#], guess_branch
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

class PredictBranches : public MachineFunctionPass {
 public:
  static char ID;
  PredictBranches() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine static branch prediction"; }
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
        remark(Branch, kPredictBranchesName, "Guessed",
               IsProfiled(Block)
                   ? "the profile says that this branch is mostly taken: predicted as taken"
                   : "this branch closes its loop: predicted as taken");
        Changed = true;
      }
    return Changed;
  }
};

char PredictBranches::ID;

}  // namespace

FunctionPass* llvm::createMicroenginePredictBranches() {
  return new PredictBranches;
}
