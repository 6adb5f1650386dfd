// If-conversion of what selection left as a choice: `a < b`, `x == 0`, `flag ? 4 : 3` and their like. The carry of a
// difference, or of a sum with a complement, is the comparison's value; a second sum adds it to the smaller constant:
//
//   alu[low, a, -, b]          carry: a >= b, unsigned
//   alu[result, smaller, +carry, zero]
//
// Both are one pseudo instruction, of 64-bit arithmetic, until just before emission: condition codes do not pass the
// allocator.
#include "compiler/target/MicroengineSelects.h"

#include "compiler/target/MicroengineInstrInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

// The value of a small constant that an instruction of its own loads.
std::optional<int64_t> smallConstant(Register Value, const MachineRegisterInfo &Values) {
  const MachineInstr *Load = Value.isVirtual() ? Values.getVRegDef(Value) : nullptr;
  if (!Load || Load->getOpcode() != IMMED || !Load->getOperand(1).isImm() || Load->getOperand(2).getImm() != 0)
    return std::nullopt;
  return Load->getOperand(1).getImm();
}

class CarrySelect {
public:
  explicit CarrySelect(MachineInstr &Select)
      : Select(Select), Values(Select.getMF()->getRegInfo()),
        Instructions(*Select.getMF()->getSubtarget().getInstrInfo()) {}

  bool replace() {
    std::optional<int64_t> IfTrue = smallConstant(Select.getOperand(3).getReg(), Values);
    std::optional<int64_t> IfFalse = smallConstant(Select.getOperand(4).getReg(), Values);
    auto Test = static_cast<Condition>(Select.getOperand(5).getImm());
    if (!IfTrue || !IfFalse || std::abs(*IfTrue - *IfFalse) != 1) return false;
    bool Counts = *IfTrue > *IfFalse;
    Smaller = Select.getOperand(Counts ? 4 : 3).getReg();
    if (!setCarryIf(Counts ? Test : invert(Test))) return false;
    Select.eraseFromParent();
    return true;
  }

private:
  bool setCarryIf(Condition Test);
  Register left() const { return Select.getOperand(1).getReg(); }
  Register right();
  Register constant(int64_t Value);
  Register computed(unsigned Opcode, Register First, Register Second = Register());
  void add(unsigned Pair, Register First, Register Second);

  MachineInstr &Select;
  MachineRegisterInfo &Values;
  const TargetInstrInfo &Instructions;
  Register Smaller;
};

// a - b carries where a >= b, and b + ~a where b > a.
bool CarrySelect::setCarryIf(Condition Test) {
  switch (Test) {
  case Condition::AboveEqual: add(SUBTRACT_PAIR, left(), right()); return true;
  case Condition::BelowEqual: add(SUBTRACT_PAIR, right(), left()); return true;
  case Condition::Above: add(ADD_PAIR, left(), computed(NOT_r, right())); return true;
  case Condition::Below: add(ADD_PAIR, right(), computed(NOT_r, left())); return true;
  case Condition::Equal:
  case Condition::NotEqual: {
    bool WithZero = Select.getOperand(2).isImm() && Select.getOperand(2).getImm() == 0;
    Register Difference = WithZero ? left() : computed(XOR_rr, left(), right());
    if (Test == Condition::Equal) add(SUBTRACT_PAIR, constant(0), Difference);
    else add(SUBTRACT_PAIR, Difference, constant(1));
    return true;
  }
  default: return false;  // signed orders need the overflow too; bits are shifted
  }
}

Register CarrySelect::right() {
  const MachineOperand &Right = Select.getOperand(2);
  return Right.isImm() ? constant(Right.getImm()) : Right.getReg();
}

Register CarrySelect::constant(int64_t Value) {
  Register Result = Values.createVirtualRegister(&GPRRegClass);
  BuildMI(*Select.getParent(), Select, Select.getDebugLoc(), Instructions.get(IMMED), Result).addImm(Value).addImm(0);
  return Result;
}

Register CarrySelect::computed(unsigned Opcode, Register First, Register Second) {
  Register Result = Values.createVirtualRegister(&GPRRegClass);
  auto Builder =
      BuildMI(*Select.getParent(), Select, Select.getDebugLoc(), Instructions.get(Opcode), Result).addReg(First);
  if (Second) Builder.addReg(Second);
  return Result;
}

void CarrySelect::add(unsigned Pair, Register First, Register Second) {
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

}  // namespace

bool Microengine::replaceSelectByCarry(MachineInstr &Select) { return CarrySelect(Select).replace(); }
