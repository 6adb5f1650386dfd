// Takes away unconditional branches that LLVM's placement of blocks left. It weighs a branch at the end of a loop as
// much as one at its head and puts the loop's end in front; here a branch to the head costs nothing once its slot is
// filled, while an unconditional one costs two cycles. Where a block ends in a branch to one that nothing falls into,
// that one and what it falls into move behind the block, and the branch goes; the most frequent branch first. If what
// it falls into includes the block itself, all of it is a loop with its entry in the middle: it is turned so that a
// test of the loop's end comes last, which then branches back instead of out.
#include "compiler/target/MicroengineStraighten.h"

#include "compiler/target/MicroengineDescriptions.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace {

class Straighten : public MachineFunctionPass {
public:
  static char ID;
  Straighten() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine straightened blocks"; }
  void getAnalysisUsage(AnalysisUsage &Usage) const override {
    Usage.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    Usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

  bool runOnMachineFunction(MachineFunction &Function) override {
    const MachineBlockFrequencyInfo &Frequencies = getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI();
    SmallVector<MachineBasicBlock *, 16> Leaving;
    for (MachineBasicBlock &Block : Function)
      if (branchOf(Block)) Leaving.push_back(&Block);
    stable_sort(Leaving, [&](const MachineBasicBlock *Left, const MachineBasicBlock *Right) {
      return Frequencies.getBlockFreq(Left) > Frequencies.getBlockFreq(Right);
    });
    bool Changed = false;
    for (MachineBasicBlock *Block : Leaving) Changed |= bringTarget(*Block);
    if (Changed) Function.RenumberBlocks();
    return Changed;
  }

private:
  static MachineInstr *branchOf(MachineBasicBlock &Block) {
    MachineBasicBlock::iterator Last = Block.getLastNonDebugInstr();
    return Last != Block.end() && Last->getOpcode() == Microengine::BR ? &*Last : nullptr;
  }
  static bool bringTarget(MachineBasicBlock &Block);
  static bool turn(MachineBasicBlock &First, MachineBasicBlock &Last);
  static void dropBranchToNext(MachineBasicBlock &Block);
};

char Straighten::ID;

bool Straighten::bringTarget(MachineBasicBlock &Block) {
  MachineInstr *Branch = branchOf(Block);
  if (!Branch) return false;  // dropped on the way
  MachineBasicBlock *First = Branch->getOperand(0).getMBB();
  MachineFunction &Function = *Block.getParent();
  if (First == &Function.front() || First->getPrevNode()->canFallThrough()) return false;
  MachineBasicBlock *Last = First;
  while (Last != &Block && Last->canFallThrough() && Last->getNextNode()) Last = Last->getNextNode();
  if (Last == &Block) return turn(*First, Block);
  Function.splice(std::next(Block.getIterator()), First->getIterator(), std::next(Last->getIterator()));
  Branch->eraseFromParent();
  return true;
}

// First to Last fall into each other, and Last branches to First. One in between that leaves to the block behind Last
// comes last.
bool Straighten::turn(MachineBasicBlock &First, MachineBasicBlock &Last) {
  MachineFunction &Function = *First.getParent();
  const TargetInstrInfo &Instructions = *Function.getSubtarget().getInstrInfo();
  MachineBasicBlock *Behind = Last.getNextNode();
  for (MachineBasicBlock *Leaving = &First; Behind && Leaving != &Last; Leaving = Leaving->getNextNode()) {
    MachineBasicBlock *Taken = nullptr, *NotTaken = nullptr, *Inside = Leaving->getNextNode();
    SmallVector<MachineOperand, 4> Test;
    if (Instructions.analyzeBranch(*Leaving, Taken, NotTaken, Test, /*AllowModify=*/false)) continue;
    if (Test.empty() || Taken != Behind || NotTaken || Instructions.reverseBranchCondition(Test)) continue;
    DebugLoc Location = Leaving->findBranchDebugLoc();
    Instructions.removeBranch(*Leaving);
    Instructions.insertBranch(*Leaving, Inside, nullptr, Test, Location);
    MachineBasicBlock *Before = First.getPrevNode();
    Function.splice(Behind->getIterator(), First.getIterator(), std::next(Leaving->getIterator()));
    branchOf(Last)->eraseFromParent();
    dropBranchToNext(*Before);
    return true;
  }
  return false;
}

void Straighten::dropBranchToNext(MachineBasicBlock &Block) {
  MachineInstr *Branch = branchOf(Block);
  if (Branch && Branch->getOperand(0).getMBB() == Block.getNextNode()) Branch->eraseFromParent();
}

}  // namespace

FunctionPass *llvm::createMicroengineStraighten() { return new Straighten; }
