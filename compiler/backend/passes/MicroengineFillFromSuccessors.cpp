// Fills slots after branches that their own block could not fill (MicroengineFillSlots.cpp) with
// what comes next.
//
// Expects: expanded instructions with the slots that MicroengineFillSlots filled.
// Does: from the target, its first instruction is copied into the slot and the branch goes to the
// second one. That saves a cycle where the branch is taken and costs a word, so it is done for
// branches that are always taken, and for those predicted as taken, whose slots are lost anyway
// where they are not. From the fall-through, its first instruction moves up. That saves a cycle
// after a wrong prediction, and otherwise replaces a cycle that is aborted where the branch is
// taken by one that executes to no purpose. Either way the other successor must not need what the
// instruction overwrites.
//
//   before   br[loop#]              loop#: alu[a0, a0, +, 1]   next#: ...
//   after    br[next#], defer[1]    alu[a0, a0, +, 1]          ...
#include "compiler/backend/passes/MicroengineFillFromSuccessors.h"

#include "compiler/backend/passes/MicroengineSlots.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/LivePhysRegs.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

bool definesOrUsesCodes(const MachineInstr& Instruction) {
  return definesCodes(Instruction) || usesCodes(Instruction);
}

MachineOperand& branchTokens(MachineInstr& Branch) {
  return Branch.getOperand(Branch.getNumExplicitOperands() - 1);
}

class SuccessorSlotFiller {
 public:
  explicit SuccessorSlotFiller(MachineFunction& Function)
      : Function(Function), Registers(*Function.getSubtarget().getRegisterInfo()) {}

  void run() {
    SmallVector<MachineInstr*, 32> Branches;  // blocks are split on the way
    for (MachineBasicBlock& Block : Function)
      for (MachineInstr& Instruction : Block)
        if (Instruction.isTerminator() && targetOf(Instruction))
          Branches.push_back(&Instruction);
    for (MachineInstr* Branch : Branches)
      fill(*Branch);
    Function.RenumberBlocks();
  }

 private:
  static MachineBasicBlock* targetOf(const MachineInstr& Branch);
  static MachineInstr* firstOf(MachineBasicBlock& Block);
  void fill(MachineInstr& Branch);
  bool fillFromTarget(MachineInstr& Branch);
  bool fillFromFallThrough(MachineInstr& Branch);
  MachineBasicBlock* fallThroughOf(MachineInstr& Branch) const;
  bool isFreeIn(const MachineInstr& Candidate, const MachineBasicBlock& Other) const;
  static bool areCodesLiveInto(const MachineBasicBlock& Block);
  bool isFreeBehind(const MachineInstr& Candidate, MachineInstr& Branch) const;
  MachineBasicBlock::iterator behindSlots(MachineInstr& Branch) const;
  void dropUselessGuess(MachineInstr& Branch) const;

  MachineFunction& Function;
  const TargetRegisterInfo& Registers;
};

// The block that the word names; none for the end of a thread, and for a jump, whose target is
// computed.
MachineBasicBlock* SuccessorSlotFiller::targetOf(const MachineInstr& Branch) {
  if (Branch.isIndirectBranch() || !Branch.isBranch() || mostSlots(Branch) == 0)
    return nullptr;
  const MachineOperand& Target = Branch.getOperand(Branch.getNumExplicitOperands() - 2);
  return Target.isMBB() ? Target.getMBB() : nullptr;
}

// The instruction that may leave the head of the block, or null.
MachineInstr* SuccessorSlotFiller::firstOf(MachineBasicBlock& Block) {
  MachineBasicBlock::iterator First = Block.getFirstNonDebugInstr();
  if (First == Block.end() || !isSimple(*First) || isTiedToNeighbour(*First))
    return nullptr;
  return &*First;
}

// The same for what follows the branch where it is not taken.
bool SuccessorSlotFiller::isFreeBehind(const MachineInstr& Candidate, MachineInstr& Branch) const {
  MachineBasicBlock& Block = *Branch.getParent();
  if (fallThroughOf(Branch) == targetOf(Branch))
    return false;
  Footprint Overwritten(Registers);
  for (const MachineOperand& Defined : Candidate.all_defs())
    Overwritten.addDefined(Defined.getReg());
  for (auto Next = behindSlots(Branch); Next != Block.end(); ++Next)
    if (Overwritten.conflictsWith(*Next) || usesCodes(*Next) || targetOf(*Next) == targetOf(Branch))
      return false;
  return all_of(Block.successors(), [&](const MachineBasicBlock* Other) {
    return Other == targetOf(Branch) || isFreeIn(Candidate, *Other);
  });
}

MachineBasicBlock::iterator SuccessorSlotFiller::behindSlots(MachineInstr& Branch) const {
  return std::next(Branch.getIterator(), 1 + filledSlots(Branch));
}

// Whether the codes are read in the block or after it before they are set. A block that was split
// here passes them to the block it falls into; one whose first instruction moved up may receive
// them and be empty.
bool SuccessorSlotFiller::areCodesLiveInto(const MachineBasicBlock& Block) {
  SmallPtrSet<const MachineBasicBlock*, 8> Seen;
  SmallVector<const MachineBasicBlock*, 8> Ahead = {&Block};
  while (!Ahead.empty()) {
    const MachineBasicBlock& Next = *Ahead.pop_back_val();
    if (!Seen.insert(&Next).second)
      continue;
    if (any_of(Next, definesOrUsesCodes)) {
      if (areCodesLive(&Next.front()))
        return true;
    } else {
      append_range(Ahead, Next.successors());
    }
  }
  return false;
}

// Whether nothing that is needed in the block is overwritten.
bool SuccessorSlotFiller::isFreeIn(const MachineInstr& Candidate,
                                   const MachineBasicBlock& Other) const {
  if (definesCodes(Candidate) && areCodesLiveInto(Other))
    return false;
  LivePhysRegs Live(Registers);
  Live.addLiveIns(Other);
  return all_of(Candidate.all_defs(), [&](const MachineOperand& Defined) {
    return Defined.getReg() == CC || Live.available(Function.getRegInfo(), Defined.getReg());
  });
}

// The block after the branch, if only the branch and its slots lie in between.
MachineBasicBlock* SuccessorSlotFiller::fallThroughOf(MachineInstr& Branch) const {
  MachineBasicBlock& Block = *Branch.getParent();
  if (!Branch.isConditionalBranch() || behindSlots(Branch) != Block.end())
    return nullptr;
  MachineBasicBlock* Next = Block.getNextNode();
  return Next && Block.isSuccessor(Next) ? Next : nullptr;
}

bool SuccessorSlotFiller::fillFromTarget(MachineInstr& Branch) {
  MachineBasicBlock* Target = targetOf(Branch);
  MachineInstr* First = firstOf(*Target);
  if (!First)
    return false;
  if (Branch.isConditionalBranch() && !isFreeBehind(*First, Branch))
    return false;
  bool IsWhole = std::next(First->getIterator()) == Target->end();
  MachineBasicBlock* Behind = IsWhole ? Target->getNextNode() : Target->splitAt(*First);
  if (!Behind || !Target->isSuccessor(Behind))
    return false;
  MachineBasicBlock& Block = *Branch.getParent();
  Block.insert(behindSlots(Branch), Function.CloneMachineInstr(First));
  Branch.getOperand(Branch.getNumExplicitOperands() - 2).setMBB(Behind);
  bool StillLeadsThere = any_of(
      Block.terminators(), [&](const MachineInstr& Other) { return targetOf(Other) == Target; });
  if (StillLeadsThere)
    Block.addSuccessorWithoutProb(Behind);
  else
    Block.replaceSuccessor(Target, Behind);
  setFilledSlots(Branch, filledSlots(Branch) + 1);
  return true;
}

bool SuccessorSlotFiller::fillFromFallThrough(MachineInstr& Branch) {
  MachineBasicBlock* Next = fallThroughOf(Branch);
  if (!Next || Next->pred_size() != 1 || Next == targetOf(Branch))
    return false;
  MachineInstr* First = firstOf(*Next);
  if (!First || !isFreeIn(*First, *targetOf(Branch)))
    return false;
  Branch.getParent()->splice(behindSlots(Branch), Next, First->getIterator());
  recomputeLiveIns(*Next);
  setFilledSlots(Branch, filledSlots(Branch) + 1);
  return true;
}

// A static prediction saves nothing if the slots fill all that a taken branch aborts.
void SuccessorSlotFiller::dropUselessGuess(MachineInstr& Branch) const {
  if (!Branch.isConditionalBranch())
    return;
  const MachineInstr* Above = Branch.getPrevNode();
  while (Above && Above->isDebugInstr())
    Above = Above->getPrevNode();
  bool MayBeBehindSetter = usesCodes(Branch) && (!Above || definesCodes(*Above));
  if (filledSlots(Branch) == mostSlots(Branch) && !MayBeBehindSetter)
    branchTokens(Branch).setImm(branchTokens(Branch).getImm() & ~int64_t{kGuessBranchToken});
}

void SuccessorSlotFiller::fill(MachineInstr& Branch) {
  bool IsGuessed =
      Branch.isConditionalBranch() && branchTokens(Branch).getImm() & kGuessBranchToken;
  bool MayGrow = !Function.getFunction().hasOptSize();
  while (filledSlots(Branch) != mostSlots(Branch)) {
    bool GoesThere = Branch.isUnconditionalBranch() || IsGuessed;
    if (GoesThere && MayGrow && fillFromTarget(Branch))
      continue;
    if (!fillFromFallThrough(Branch))
      break;
  }
  dropUselessGuess(Branch);
}

}  // namespace

void llvm::fillMicroengineSlotsFromSuccessors(MachineFunction& Function) {
  SuccessorSlotFiller(Function).run();
}
