#include "compiler/backend/passes/MicroengineSlots.h"

using namespace llvm;
using namespace llvm::Microengine;
using nplab::isa::AbortClass;
using nplab::isa::maximum_defer;

// The pipeline has fetched as many instructions when this one is decided.
unsigned Microengine::mostSlots(const MachineInstr& Instruction) {
  if (!isReference(Instruction.getDesc()))
    return maximum_defer(abortClassOf(Instruction.getDesc()));
  bool Swaps =
      Instruction.getOperand(Instruction.getNumExplicitOperands() - 1).getImm() & kContextSwapToken;
  return maximum_defer(Swaps ? AbortClass::kSwap : AbortClass::kNone);
}

unsigned Microengine::filledSlots(const MachineInstr& Leader) {
  uint64_t Tokens = Leader.getOperand(Leader.getNumExplicitOperands() - 1).getImm();
  return (isReference(Leader.getDesc()) ? Tokens >> kReferenceDeferShift : Tokens) & kDeferTokens;
}

void Microengine::setFilledSlots(MachineInstr& Leader, unsigned Filled) {
  unsigned Shift = isReference(Leader.getDesc()) ? kReferenceDeferShift : 0;
  MachineOperand& Tokens = Leader.getOperand(Leader.getNumExplicitOperands() - 1);
  Tokens.setImm((Tokens.getImm() & ~(int64_t{kDeferTokens} << Shift)) | int64_t{Filled} << Shift);
}

bool Microengine::definesCodes(const MachineInstr& Instruction) {
  if (!Instruction.getDesc().hasImplicitDefOfPhysReg(CC))
    return false;
  bool IsLoadField =
      Instruction.getOpcode() == LD_FIELD || Instruction.getOpcode() == LD_FIELD_W_CLR;
  return !IsLoadField ||
         Instruction.getOperand(Instruction.getNumExplicitOperands() - 1).getImm() != 0;
}

bool Microengine::usesCodes(const MachineInstr& Instruction) {
  return Instruction.getDesc().hasImplicitUseOfPhysReg(CC);
}

bool Microengine::areCodesLive(const MachineInstr* From) {
  for (const MachineInstr* Next = From; Next; Next = Next->getNextNode()) {
    if (usesCodes(*Next))
      return true;
    if (definesCodes(*Next))
      return false;
  }
  return false;
}

static bool isIndirectShift(const MachineInstr& Instruction) {
  return Instruction.getOpcode() == SHIFT_MOVE_r &&
         shiftKind(Instruction.getOperand(2).getImm()) >= nplab::isa::ShiftKind::kLeftIndirect;
}

bool Microengine::isTiedToNeighbour(const MachineInstr& Instruction) {
  const MachineInstr* Next = Instruction.getNextNode();
  return isIndirectShift(Instruction) || (Next && isIndirectShift(*Next));
}

bool Microengine::isSimple(const MachineInstr& Instruction) {
  if (Instruction.isPseudo() || Instruction.isTerminator() || Instruction.mayLoadOrStore() ||
      Instruction.hasUnmodeledSideEffects() || isReference(Instruction.getDesc()) ||
      Instruction.getOpcode() == NOP)
    return false;
  return !usesCodes(Instruction) && !touchesShared(Instruction);
}

bool Microengine::isAnnotation(const MachineInstr& Instruction) {
  switch (Instruction.getOpcode()) {
    case ANNOTATE:
    case ANNOTATE_r:
    case ANNOTATE_rr:
    case ANNOTATE_ri: return true;
    default: return false;
  }
}

void Footprint::add(const MachineInstr& Instruction) {
  for (const MachineOperand& Operand : Instruction.operands())
    if (Operand.isReg() && Operand.getReg() && Operand.getReg() != CC)
      (Operand.isDef() ? Defined : Used).insert(Operand.getReg());
}

bool Footprint::conflictsWith(const MachineInstr& Candidate) const {
  auto Hits = [&](const SmallSet<Register, 8>& Set, Register Touched) {
    return any_of(Set, [&](Register Other) { return Registers.regsOverlap(Other, Touched); });
  };
  return any_of(Candidate.operands(), [&](const MachineOperand& Operand) {
    if (!Operand.isReg() || !Operand.getReg() || Operand.getReg() == CC)
      return false;
    if (Hits(Defined, Operand.getReg()))
      return true;
    return Operand.isDef() && Hits(Used, Operand.getReg());
  });
}
