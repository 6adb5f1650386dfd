// Fills the slots behind branches and context swaps (`defer[n]`). A branch takes instructions from above it that it and
// everything in between do not depend on. A context swap prefers the instruction that follows it anyway; with none
// above either, it takes the nearest from below that waits for nothing in between.
#include "compiler/target/Microengine.h"
#include "compiler/target/MicroengineInstrInfo.h"
#include "compiler/target/MicroengineSubtarget.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"

using namespace llvm;
using namespace llvm::Microengine;
using nplab::isa::AbortClass;
using nplab::isa::maximum_defer;

namespace {

constexpr unsigned kLookBack = 12;             // instructions
constexpr unsigned kLookAhead = 8;             // instructions
constexpr unsigned kReferenceDeferShift = 12;  // reference tokens, bits 13..12 (operands.td)

bool isIndirectShift(const MachineInstr &Instruction) {
  return Instruction.getOpcode() == SHIFT_MOVE_r &&
         shiftKind(Instruction.getOperand(2).getImm()) >= nplab::isa::ShiftKind::kLeftIndirect;
}

bool isAnnotation(const MachineInstr &Instruction) {
  switch (Instruction.getOpcode()) {
  case ANNOTATE: case ANNOTATE_r: case ANNOTATE_rr: case ANNOTATE_ri: return true;
  default: return false;
  }
}

// Registers that instructions left in place read and write; relative registers only.
struct Footprint {
  SmallSet<Register, 8> Defined;
  SmallSet<Register, 8> Used;
  void add(const MachineInstr &Instruction) {
    for (const MachineOperand &Operand : Instruction.operands())
      if (Operand.isReg() && Operand.getReg() && Operand.getReg() != CC)
        (Operand.isDef() ? Defined : Used).insert(Operand.getReg());
  }
};

class SlotFiller {
public:
  explicit SlotFiller(MachineFunction &Function)
      : Function(Function), Registers(*Function.getSubtarget().getRegisterInfo()) {}

  void run() {
    for (MachineBasicBlock &Block : Function) {
      InSlot.clear();
      for (MachineInstr &Instruction : make_early_inc_range(Block)) fill(Instruction);
    }
  }

private:
  static unsigned mostSlots(const MachineInstr &Instruction);
  static MachineOperand &tokens(MachineInstr &Instruction);
  void fill(MachineInstr &Leader);
  bool fillFromBelow(MachineInstr &Swap, unsigned LookAhead);
  unsigned fillFromAbove(MachineInstr &Leader, unsigned Most);
  bool isSimple(const MachineInstr &Instruction) const;
  bool definesCondition(const MachineInstr &Instruction) const;
  bool conflicts(const MachineInstr &Candidate, const Footprint &Kept) const;
  bool feedsNext(const MachineInstr &Instruction) const;

  MachineFunction &Function;
  const TargetRegisterInfo &Registers;
  SmallPtrSet<const MachineInstr *, 16> InSlot;
};

// From the abort classes of formats.td: what the pipeline has fetched behind the instruction when it is decided.
unsigned SlotFiller::mostSlots(const MachineInstr &Instruction) {
  switch (Instruction.getOpcode()) {
  case BR: return maximum_defer(AbortClass::kUnconditional);
  case BR_EQ: case BR_NE: case BR_GT: case BR_GE: case BR_LT: case BR_LE: case BR_COUT: case BR_NCOUT:
    return maximum_defer(AbortClass::kCondition);
  case BR_EQ_CTX: case BR_NE_CTX: case BR_INP_STATE: case BR_NOT_SIGNAL: return maximum_defer(AbortClass::kState);
  case BR_BSET: case BR_BCLR: case BR_EQ_BYTE: case BR_NE_BYTE: return maximum_defer(AbortClass::kTest);
  case CTX_ARB: return maximum_defer(AbortClass::kSwap);
  default: break;
  }
  if (!isReference(Instruction.getDesc())) return 0;
  return Instruction.getOperand(Instruction.getNumExplicitOperands() - 1).getImm() & kContextSwapToken
             ? maximum_defer(AbortClass::kSwap) : 0;
}

MachineOperand &SlotFiller::tokens(MachineInstr &Instruction) {
  return Instruction.getOperand(Instruction.getNumExplicitOperands() - 1);
}

bool SlotFiller::definesCondition(const MachineInstr &Instruction) const {
  if (!Instruction.getDesc().hasImplicitDefOfPhysReg(CC)) return false;
  bool IsLoadField = Instruction.getOpcode() == LD_FIELD || Instruction.getOpcode() == LD_FIELD_W_CLR;
  return !IsLoadField || Instruction.getOperand(Instruction.getNumExplicitOperands() - 1).getImm() != 0;
}

// Register arithmetic without state other than condition codes. Absolute registers are shared by contexts: their order
// against context swaps is the program's.
bool SlotFiller::isSimple(const MachineInstr &Instruction) const {
  if (Instruction.isPseudo() || Instruction.isTerminator() || Instruction.mayLoadOrStore() ||
      Instruction.hasUnmodeledSideEffects() || isReference(Instruction.getDesc()) || Instruction.getOpcode() == NOP)
    return false;
  if (Instruction.getDesc().hasImplicitUseOfPhysReg(CC)) return false;
  for (const MachineOperand &Operand : Instruction.operands())
    if (Operand.isReg() && (AbsoluteGPRRegClass.contains(Operand.getReg()))) return false;
  return true;
}

// Whether the instruction behind reads this one's condition codes, or its operand a as the amount of a shift.
bool SlotFiller::feedsNext(const MachineInstr &Instruction) const {
  const MachineInstr *Next = Instruction.getNextNode();
  if (Next && isIndirectShift(*Next)) return true;
  if (!definesCondition(Instruction)) return false;
  for (; Next; Next = Next->getNextNode()) {
    if (Next->getDesc().hasImplicitUseOfPhysReg(CC)) return true;
    if (definesCondition(*Next)) return false;
  }
  return false;
}

bool SlotFiller::conflicts(const MachineInstr &Candidate, const Footprint &Kept) const {
  auto Hits = [&](const SmallSet<Register, 8> &Set, Register Touched) {
    return any_of(Set, [&](Register Other) { return Registers.regsOverlap(Other, Touched); });
  };
  return any_of(Candidate.operands(), [&](const MachineOperand &Operand) {
    if (!Operand.isReg() || !Operand.getReg() || Operand.getReg() == CC) return false;
    if (Hits(Kept.Defined, Operand.getReg())) return true;
    return Operand.isDef() && Hits(Kept.Used, Operand.getReg());
  });
}

bool SlotFiller::fillFromBelow(MachineInstr &Swap, unsigned LookAhead) {
  Footprint Kept;
  Kept.add(Swap);
  MachineInstr *Below = Swap.getNextNode();
  for (unsigned Seen = 0; Below && Seen != LookAhead; ++Seen, Below = Below->getNextNode()) {
    if (Below->isTerminator() || Below->isPosition() || isAnnotation(*Below)) return false;
    if (isSimple(*Below) && !feedsNext(*Below) && !isIndirectShift(*Below) && !conflicts(*Below, Kept)) {
      Swap.getParent()->splice(std::next(Swap.getIterator()), Swap.getParent(), Below->getIterator());
      InSlot.insert(Below);
      return true;
    }
    Kept.add(*Below);
  }
  return false;
}

unsigned SlotFiller::fillFromAbove(MachineInstr &Leader, unsigned Most) {
  Footprint Kept;
  Kept.add(Leader);
  SmallVector<MachineInstr *, 3> Taken;
  MachineInstr *Above = Leader.getPrevNode();
  for (unsigned Seen = 0; Above && Seen != kLookBack && Taken.size() != Most; ++Seen, Above = Above->getPrevNode()) {
    bool Barrier = Above->isTerminator() || Above->isPosition() || (Above->isPseudo() && !Above->isDebugInstr()) ||
                   InSlot.contains(Above);
    if (Barrier) break;
    bool Movable = isSimple(*Above) && !feedsNext(*Above) && !isIndirectShift(*Above) && !conflicts(*Above, Kept);
    if (Movable) Taken.push_back(Above);
    else Kept.add(*Above);
  }
  MachineBasicBlock &Block = *Leader.getParent();
  for (MachineInstr *Moved : Taken) {  // nearest first, so inserting each right behind the leader keeps their order
    Block.splice(std::next(Leader.getIterator()), &Block, Moved->getIterator());
    InSlot.insert(Moved);
  }
  return Taken.size();
}

void SlotFiller::fill(MachineInstr &Leader) {
  unsigned Most = mostSlots(Leader);
  if (Most == 0 || InSlot.contains(&Leader)) return;
  bool IsReference = isReference(Leader.getDesc());
  bool IsSwap = !Leader.isTerminator();
  unsigned Filled = IsSwap && fillFromBelow(Leader, 1) ? 1 : fillFromAbove(Leader, Most);
  if (IsSwap && Filled == 0) Filled = fillFromBelow(Leader, kLookAhead);
  MachineOperand &Tokens = tokens(Leader);
  Tokens.setImm(Tokens.getImm() | (IsReference ? Filled << kReferenceDeferShift : Filled));
}

}  // namespace

void llvm::fillMicroengineSlots(MachineFunction &Function) { SlotFiller(Function).run(); }
