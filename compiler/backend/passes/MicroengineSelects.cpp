// If-conversion of what selection left as a choice: `a < b`, `x == 0`, `flag ? 4 : 3` and their
// like. The carry of a difference, or of a sum with a complement, is the comparison's value; a
// second sum adds it to the smaller constant:
//
//   alu[low, a, -, b]          carry: a >= b, unsigned
//   alu[result, smaller, +carry, zero]
//
// The first sum may be of any value: `a < b ? n + 1 : n`. A test of a sign adds by it:
//
//   alu[--, --, B, a]              negative: a < 0
//   alu[result, addend, +IFsign, base]
//
// Both are one pseudo instruction until just before emission: condition codes do not pass the
// allocator.
#include "compiler/backend/passes/MicroengineSelects.h"

#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/passes/MicroengineRemarks.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

class StraightSelect {
 public:
  explicit StraightSelect(MachineInstr& Select)
      : Select(Select),
        Values(Select.getMF()->getRegInfo()),
        Instructions(*Select.getMF()->getSubtarget().getInstrInfo()),
        Test(static_cast<Condition>(Select.getOperand(5).getImm())) {}

  bool replace() {
    bool Replaced = byCarry() || bySign();
    if (!Replaced)
      return false;
    remark(Select, kSelectsName, "Straight", "chooses between two values without a branch");
    Select.eraseFromParent();
    return true;
  }

 private:
  bool byCarry();
  bool bySign();
  bool setCarryIf(Condition Carried);
  std::optional<int64_t> smallConstant(Register Value) const;
  bool isOneMore(Register More, Register Than) const;
  std::optional<Register> summandOf(Register Sum, Register Other);
  Register left() const { return Select.getOperand(1).getReg(); }
  Register right();
  Register ifTrue() const { return Select.getOperand(3).getReg(); }
  Register ifFalse() const { return Select.getOperand(4).getReg(); }
  Register constant(int64_t Value);
  Register computed(unsigned Opcode, Register First, Register Second = Register());
  void addToSmaller(unsigned Pair, Register First, Register Second);
  bool addIfNegative(Register Addend, Register Base);

  MachineInstr& Select;
  MachineRegisterInfo& Values;
  const TargetInstrInfo& Instructions;
  Condition Test;
  Register Smaller;
};

// The value of a small constant that an instruction of its own loads.
std::optional<int64_t> StraightSelect::smallConstant(Register Value) const {
  const MachineInstr* Load = Value.isVirtual() ? Values.getVRegDef(Value) : nullptr;
  if (!Load || Load->getOpcode() != IMMED || !Load->getOperand(1).isImm() ||
      Load->getOperand(2).getImm() != 0)
    return std::nullopt;
  return Load->getOperand(1).getImm();
}

bool StraightSelect::isOneMore(Register More, Register Than) const {
  std::optional<int64_t> Larger = smallConstant(More), Less = smallConstant(Than);
  if (Larger && Less)
    return *Larger - *Less == 1;
  const MachineInstr* Sum = Values.getVRegDef(More);
  return Sum && Sum->getOpcode() == ADD_ri && Sum->getOperand(1).getReg() == Than &&
         Sum->getOperand(2).getImm() == 1;
}

bool StraightSelect::byCarry() {
  bool Counts = isOneMore(ifTrue(), ifFalse());
  if (!Counts && !isOneMore(ifFalse(), ifTrue()))
    return false;
  Smaller = Counts ? ifFalse() : ifTrue();
  return setCarryIf(Counts ? Test : invert(Test));
}

// a - b carries where a >= b, and b + ~a where b > a.
bool StraightSelect::setCarryIf(Condition Carried) {
  switch (Carried) {
    case Condition::kAboveEqual: addToSmaller(SUBTRACT_PAIR, left(), right()); return true;
    case Condition::kBelowEqual: addToSmaller(SUBTRACT_PAIR, right(), left()); return true;
    case Condition::kAbove: addToSmaller(ADD_PAIR, left(), computed(NOT_r, right())); return true;
    case Condition::kBelow: addToSmaller(ADD_PAIR, right(), computed(NOT_r, left())); return true;
    case Condition::kEqual:
    case Condition::kNotEqual: {
      bool WithZero = Select.getOperand(2).isImm() && Select.getOperand(2).getImm() == 0;
      Register Difference = WithZero ? left() : computed(XOR_rr, left(), right());
      if (Carried == Condition::kEqual)
        addToSmaller(SUBTRACT_PAIR, constant(0), Difference);
      else
        addToSmaller(SUBTRACT_PAIR, Difference, constant(1));
      return true;
    }
    default: return false;  // signed orders need the overflow too; bits are shifted
  }
}

// The other summand if `Sum` adds one to `Other`.
std::optional<Register> StraightSelect::summandOf(Register Sum, Register Other) {
  const MachineInstr* Addition = Values.getVRegDef(Sum);
  if (!Addition)
    return std::nullopt;
  if (Addition->getOpcode() == ADD_ri && Addition->getOperand(1).getReg() == Other)
    return constant(Addition->getOperand(2).getImm());
  if (Addition->getOpcode() != ADD_rr)
    return std::nullopt;
  Register First = Addition->getOperand(1).getReg(), Second = Addition->getOperand(2).getReg();
  if (First != Other && Second != Other)
    return std::nullopt;
  return First == Other ? Second : First;
}

bool StraightSelect::bySign() {
  if (!Select.getOperand(2).isImm())
    return false;
  int64_t Right = Select.getOperand(2).getImm();
  bool IfSet =
      (Test == Condition::kLess && Right == 0) || (Test == Condition::kBitSet && Right == kSignBit);
  bool IfClear = (Test == Condition::kGreaterEqual && Right == 0) ||
                 (Test == Condition::kBitClear && Right == kSignBit);
  if (!IfSet && !IfClear)
    return false;
  Register IfNegative = IfSet ? ifTrue() : ifFalse(), Otherwise = IfSet ? ifFalse() : ifTrue();
  std::optional<int64_t> Constant = smallConstant(IfNegative), Base = smallConstant(Otherwise);
  if (Base == 0)
    return addIfNegative(IfNegative, Otherwise);
  if (Constant && Base)
    return *Constant > *Base && addIfNegative(constant(*Constant - *Base), Otherwise);
  std::optional<Register> Addend = summandOf(IfNegative, Otherwise);
  if (!Addend)
    return false;
  Values.clearKillFlags(*Addend);  // the addition's use was the last so far
  return addIfNegative(*Addend, Otherwise);
}

Register StraightSelect::right() {
  const MachineOperand& Right = Select.getOperand(2);
  return Right.isImm() ? constant(Right.getImm()) : Right.getReg();
}

Register StraightSelect::constant(int64_t Value) {
  Register Result = Values.createVirtualRegister(&GPRRegClass);
  BuildMI(*Select.getParent(), Select, Select.getDebugLoc(), Instructions.get(IMMED), Result)
      .addImm(Value)
      .addImm(0);
  return Result;
}

Register StraightSelect::computed(unsigned Opcode, Register First, Register Second) {
  Register Result = Values.createVirtualRegister(&GPRRegClass);
  auto Builder =
      BuildMI(*Select.getParent(), Select, Select.getDebugLoc(), Instructions.get(Opcode), Result)
          .addReg(First);
  if (Second)
    Builder.addReg(Second);
  return Result;
}

void StraightSelect::addToSmaller(unsigned Pair, Register First, Register Second) {
  Register Zero = constant(0);
  Register Unused = Values.createVirtualRegister(&GPRRegClass);
  BuildMI(*Select.getParent(), Select, Select.getDebugLoc(), Instructions.get(Pair))
      .addReg(Unused, RegState::Define | RegState::EarlyClobber | RegState::Dead)
      .addReg(Select.getOperand(0).getReg(), RegState::Define)
      .addReg(First)
      .addReg(Second)
      .addReg(Smaller)
      .addReg(Zero);
}

bool StraightSelect::addIfNegative(Register Addend, Register Base) {
  std::optional<int64_t> Immediate = smallConstant(Base);
  bool Short = Immediate && isUInt<5>(*Immediate);
  auto Builder =
      BuildMI(*Select.getParent(), Select, Select.getDebugLoc(),
              Instructions.get(Short ? SIGN_SUM_ri : SIGN_SUM_rr), Select.getOperand(0).getReg())
          .addReg(left())
          .addReg(Addend);
  Short ? Builder.addImm(*Immediate) : Builder.addReg(Base);
  return true;
}

}  // namespace

bool Microengine::replaceSelect(MachineInstr& Select) {
  return StraightSelect(Select).replace();
}
