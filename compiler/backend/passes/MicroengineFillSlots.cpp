// Fills the slots after branches and context swaps (`defer[n]`) from their own block.
//
// Expects: expanded instructions; runs from the assembly printer, on final code.
// Does: a branch takes instructions from above it that it and everything in between do not depend
// on. A context swap prefers the instruction that follows it anyway; with none above either, it
// takes the nearest from below that waits for nothing in between. What is left is for
// MicroengineFillFromSuccessors.cpp.
//
//   before   alu[a0, a0, +, b0]    br[next#]
//   after    br[next#], defer[1]    alu[a0, a0, +, b0]
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/passes/MicroengineSlots.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

constexpr unsigned kLookBack = 12;  // instructions
constexpr unsigned kLookAhead = 8;  // instructions

class SlotFiller {
 public:
  explicit SlotFiller(MachineFunction& Function)
      : Function(Function), Registers(*Function.getSubtarget().getRegisterInfo()) {}

  void run() {
    for (MachineBasicBlock& Block : Function) {
      InSlot.clear();
      for (MachineInstr& Instruction : make_early_inc_range(Block))
        fill(Instruction);
    }
  }

 private:
  void fill(MachineInstr& Leader);
  bool fillFromBelow(MachineInstr& Swap, unsigned LookAhead);
  unsigned fillFromAbove(MachineInstr& Leader, unsigned Most);

  MachineFunction& Function;
  const TargetRegisterInfo& Registers;
  SmallPtrSet<const MachineInstr*, 16> InSlot;
};

// Condition codes outlive a swap: what sets them may stand in its slot for a branch below.
bool SlotFiller::fillFromBelow(MachineInstr& Swap, unsigned LookAhead) {
  Footprint Kept(Registers);
  Kept.add(Swap);
  bool PassesCodes = false;  // sets or reads them in between
  MachineInstr* Below = Swap.getNextNode();
  for (unsigned Seen = 0; Below && Seen != LookAhead; ++Seen, Below = Below->getNextNode()) {
    if (Below->isTerminator() || Below->isPosition() || Below->isCall() || isAnnotation(*Below))
      return false;
    bool KeepsCodes = !definesCodes(*Below) || !PassesCodes;
    if (isSimple(*Below) && !isTiedToNeighbour(*Below) && KeepsCodes &&
        !Kept.conflictsWith(*Below)) {
      Swap.getParent()->splice(std::next(Swap.getIterator()), Swap.getParent(),
                               Below->getIterator());
      InSlot.insert(Below);
      return true;
    }
    PassesCodes |= definesCodes(*Below) || usesCodes(*Below);
    Kept.add(*Below);
  }
  return false;
}

unsigned SlotFiller::fillFromAbove(MachineInstr& Leader, unsigned Most) {
  Footprint Kept(Registers);
  // Results of a function may still be computed in the slots of its return.
  if (Leader.getOpcode() == RTN)
    Kept.addUsed(Leader.getOperand(0).getReg());
  else
    Kept.add(Leader);
  MachineBasicBlock& Block = *Leader.getParent();
  bool CodesLive = areCodesLive(&Leader);
  SmallVector<MachineInstr*, 3> Taken;
  MachineInstr* Above = Leader.getPrevNode();
  for (unsigned Seen = 0; Above && Seen != kLookBack && Taken.size() != Most;
       ++Seen, Above = Above->getPrevNode()) {
    bool Barrier = Above->isTerminator() || Above->isPosition() ||
                   (Above->isPseudo() && !Above->isDebugInstr()) || InSlot.contains(Above);
    if (Barrier)
      break;
    bool KeepsCodes = !definesCodes(*Above) || !areCodesLive(Above->getNextNode());
    bool HidesCodes = definesCodes(*Above) && CodesLive && !Leader.isTerminator();
    bool Movable = isSimple(*Above) && !isTiedToNeighbour(*Above) && KeepsCodes && !HidesCodes &&
                   !Kept.conflictsWith(*Above);
    if (Movable)
      Taken.push_back(Above);
    else
      Kept.add(*Above);
  }
  for (MachineInstr* Moved :
       Taken) {  // nearest first: inserting each just after the leader keeps their order
    Block.splice(std::next(Leader.getIterator()), &Block, Moved->getIterator());
    InSlot.insert(Moved);
  }
  return Taken.size();
}

void SlotFiller::fill(MachineInstr& Leader) {
  unsigned Most = mostSlots(Leader);
  if (Most == 0 || InSlot.contains(&Leader))
    return;
  bool IsSwap = !Leader.isTerminator();
  unsigned Filled = IsSwap && fillFromBelow(Leader, 1) ? 1 : fillFromAbove(Leader, Most);
  if (IsSwap && Filled == 0)
    Filled = fillFromBelow(Leader, kLookAhead);
  setFilledSlots(Leader, Filled);
}

}  // namespace

void llvm::fillMicroengineSlots(MachineFunction& Function) {
  SlotFiller(Function).run();
}
