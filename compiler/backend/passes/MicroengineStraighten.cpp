// Removes unconditional branches that LLVM's placement of blocks left.
//
// Expects: allocated registers, pseudo instructions not yet expanded.
// Does: LLVM weighs a branch at the end of a loop as much as one at its head and puts the loop's
// end first; here a branch to the head costs nothing once its slot is filled, while an
// unconditional one costs two cycles. Where a block ends in a branch to one that nothing falls
// into, that one and what it falls into move after the block, and the branch goes; the most
// frequent branch first. If what it falls into includes the block itself, all of it is a loop with
// its entry in the middle: it is turned so that a test of the loop's end comes last, which then
// branches back instead of out.
//
//   before   bb.0: ... BR %bb.2    bb.1: ... EXIT    bb.2: ...
//   after    bb.0: ...             bb.2: ...         bb.1: ... EXIT
#include "compiler/backend/passes/MicroengineStraighten.h"

#include "compiler/backend/passes/MicroengineRemarks.h"
#include "compiler/backend/passes/MicroengineSlots.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

class Straighten : public MachineFunctionPass {
 public:
  static char ID;
  Straighten() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine straightened blocks"; }
  void getAnalysisUsage(AnalysisUsage& Usage) const override {
    Usage.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    Usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

  bool runOnMachineFunction(MachineFunction& Function) override {
    Frequencies = &getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI();
    Registers = Function.getSubtarget().getRegisterInfo();
    SmallVector<MachineBasicBlock*, 16> Leaving;
    for (MachineBasicBlock& Block : Function)
      if (branchOf(Block))
        Leaving.push_back(&Block);
    stable_sort(Leaving, [&](const MachineBasicBlock* Left, const MachineBasicBlock* Right) {
      return Frequencies->getBlockFreq(Left) > Frequencies->getBlockFreq(Right);
    });
    bool Changed = false;
    for (MachineBasicBlock* Block : Leaving)
      Changed |= bringTarget(*Block);
    if (Changed)
      Function.RenumberBlocks();
    return Changed;
  }

 private:
  static MachineInstr* branchOf(MachineBasicBlock& Block) {
    MachineBasicBlock::iterator Last = Block.getLastNonDebugInstr();
    return Last != Block.end() && Last->getOpcode() == BR ? &*Last : nullptr;
  }
  bool bringTarget(MachineBasicBlock& Block) const;
  bool turn(MachineBasicBlock& First, MachineBasicBlock& Last) const;
  bool canFillSlot(const MachineBasicBlock& Block) const;
  bool paysToTurn(const MachineBasicBlock& First, const MachineBasicBlock& Leaving,
                  const MachineBasicBlock& Last) const;
  static void dropBranchToNext(MachineBasicBlock& Block);

  const MachineBlockFrequencyInfo* Frequencies = nullptr;
  const TargetRegisterInfo* Registers = nullptr;
};

char Straighten::ID;

bool Straighten::bringTarget(MachineBasicBlock& Block) const {
  MachineInstr* Branch = branchOf(Block);
  if (!Branch)
    return false;  // dropped on the way
  MachineBasicBlock* First = Branch->getOperand(0).getMBB();
  MachineFunction& Function = *Block.getParent();
  if (First == &Function.front() || First->getPrevNode()->canFallThrough())
    return false;
  MachineBasicBlock* Last = First;
  while (Last != &Block && Last->canFallThrough() && Last->getNextNode())
    Last = Last->getNextNode();
  if (Last == &Block)
    return turn(*First, Block);
  Function.splice(std::next(Block.getIterator()), First->getIterator(),
                  std::next(Last->getIterator()));
  remark(*Branch, kStraightenName, "Moved",
         "the code that this branch leads to was moved after it: no branch is left");
  Branch->eraseFromParent();
  return true;
}

// Whether the block has an instruction for a slot of its branch.
bool Straighten::canFillSlot(const MachineBasicBlock& Block) const {
  return any_of(Block, [&](const MachineInstr& Instruction) {
    return isSimple(Instruction) && none_of(Block.terminators(), [&](const MachineInstr& Branch) {
             return any_of(Instruction.all_defs(), [&](const MachineOperand& Defined) {
               return Branch.readsRegister(Defined.getReg(), Registers);
             });
           });
  });
}

// What is saved when the branch from Last to First goes, less what the test in Leaving costs once
// it branches back: a cycle if it has nothing for its slot.
bool Straighten::paysToTurn(const MachineBasicBlock& First, const MachineBasicBlock& Leaving,
                            const MachineBasicBlock& Last) const {
  auto StartsSimply = [](const MachineBasicBlock& Block) {
    const auto First = Block.getFirstNonDebugInstr();
    return First != Block.end() && isSimple(*First);
  };
  const MachineBasicBlock& Inside = *Leaving.getNextNode();
  double Saved = canFillSlot(Last) || StartsSimply(First) ? 1 : 2;
  double Lost = canFillSlot(Leaving) || StartsSimply(Inside) ? 0 : 1;
  return Saved * Frequencies->getBlockFreqRelativeToEntryBlock(&Last) >
         Lost * Frequencies->getBlockFreqRelativeToEntryBlock(&Leaving);
}

// First to Last fall into each other, and Last branches to First. One in between that leaves to the
// block after Last comes last.
bool Straighten::turn(MachineBasicBlock& First, MachineBasicBlock& Last) const {
  MachineFunction& Function = *First.getParent();
  const TargetInstrInfo& Instructions = *Function.getSubtarget().getInstrInfo();
  MachineBasicBlock* Behind = Last.getNextNode();
  for (MachineBasicBlock* Leaving = &First; Behind && Leaving != &Last;
       Leaving = Leaving->getNextNode()) {
    MachineBasicBlock *Taken = nullptr, *NotTaken = nullptr, *Inside = Leaving->getNextNode();
    SmallVector<MachineOperand, 4> Test;
    if (Instructions.analyzeBranch(*Leaving, Taken, NotTaken, Test, /*AllowModify=*/false))
      continue;
    if (Test.empty() || Taken != Behind || NotTaken || Instructions.reverseBranchCondition(Test))
      continue;
    if (!paysToTurn(First, *Leaving, Last))
      continue;
    DebugLoc Location = Leaving->findBranchDebugLoc();
    Instructions.removeBranch(*Leaving);
    Instructions.insertBranch(*Leaving, Inside, nullptr, Test, Location);
    MachineBasicBlock* Before = First.getPrevNode();
    Function.splice(Behind->getIterator(), First.getIterator(), std::next(Leaving->getIterator()));
    remark(*branchOf(Last), kStraightenName, "Turned",
           "the loop was turned: its test comes last and branches back");
    branchOf(Last)->eraseFromParent();
    dropBranchToNext(*Before);
    return true;
  }
  return false;
}

void Straighten::dropBranchToNext(MachineBasicBlock& Block) {
  MachineInstr* Branch = branchOf(Block);
  if (Branch && Branch->getOperand(0).getMBB() == Block.getNextNode())
    Branch->eraseFromParent();
}

}  // namespace

FunctionPass* llvm::createMicroengineStraighten() {
  return new Straighten;
}
