// Turns pseudo instructions into the machine's.
//
// Expects: allocated registers and the final order of blocks.
// Does: nothing moves after this except into slots, so condition codes and the amount of an
// indirect shift may now pass from one instruction to the next.
//
//   before   COMPARE_BRANCH_ri $a0, 10, not equal, %bb.2
//   after    SUB_cc_ri $a0, 10    BR_NE %bb.2
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "compiler/backend/passes/MicroengineFrameAccesses.h"
#include "compiler/backend/passes/MicroengineSlots.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"

using namespace llvm;
using namespace llvm::Microengine;
using nplab::isa::ShiftKind;

namespace {

class ExpandPseudos : public MachineFunctionPass {
 public:
  static char ID;
  ExpandPseudos() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine pseudo expansion"; }
  bool runOnMachineFunction(MachineFunction& Function) override;

 private:
  void expandTwoSteps(MachineInstr& Instruction);
  bool expand(MachineInstr& Instruction);
  void expandCompareBranch(MachineInstr& Instruction);
  void expandPairBranch(MachineInstr& Branch);
  void expandExchange(MachineInstr& Instruction);
  void expandArrival(MachineInstr& Arrival);
  MachineInstr* setterFor(MachineInstr& Branch) const;
  bool bringSetterTo(MachineInstr& Branch) const;
  bool isPassedByCodes(const MachineInstr& Instruction, Register Tested) const;
  void keepAnnotationsAttached(MachineBasicBlock& Block);

  MachineInstrBuilder build(MachineInstr& Before, unsigned Opcode) {
    return BuildMI(*Before.getParent(), Before, Before.getDebugLoc(), Instructions->get(Opcode));
  }
  MachineInstrBuilder build(MachineInstr& Before, unsigned Opcode, Register Destination) {
    return BuildMI(*Before.getParent(), Before, Before.getDebugLoc(), Instructions->get(Opcode),
                   Destination);
  }

  const MicroengineInstrInfo* Instructions = nullptr;
  const TargetRegisterInfo* Registers = nullptr;
  bool LooksBack = false;  // for who set the codes, beyond the instruction in front
};

char ExpandPseudos::ID;

struct CompareBranch {
  unsigned CompareRegister, CompareImmediate, Branch;
};
CompareBranch opcodesOf(Condition Test) {
  switch (Test) {
    case Condition::kEqual: return {SUB_cc_rr, SUB_cc_ri, BR_EQ};
    case Condition::kNotEqual: return {SUB_cc_rr, SUB_cc_ri, BR_NE};
    case Condition::kGreater: return {SUB_cc_rr, SUB_cc_ri, BR_GT};
    case Condition::kGreaterEqual: return {SUB_cc_rr, SUB_cc_ri, BR_GE};
    case Condition::kLess: return {SUB_cc_rr, SUB_cc_ri, BR_LT};
    case Condition::kLessEqual: return {SUB_cc_rr, SUB_cc_ri, BR_LE};
    case Condition::kAboveEqual: return {SUB_cc_rr, SUB_cc_ri, BR_COUT};
    case Condition::kBelow: return {SUB_cc_rr, SUB_cc_ri, BR_NCOUT};
    case Condition::kAbove: return {RSUB_cc_rr, RSUB_cc_ri, BR_NCOUT};  // b - a borrows
    case Condition::kBelowEqual: return {RSUB_cc_rr, RSUB_cc_ri, BR_COUT};
    case Condition::kBitSet:
    case Condition::kBitClear: break;
  }
  llvm_unreachable("every condition has a branch");
}

bool testsForZero(const MachineInstr& Branch) {
  const auto Test = static_cast<Condition>(Branch.getOperand(2).getImm());
  return Branch.getOpcode() == COMPARE_BRANCH_ri && Branch.getOperand(1).getImm() == 0 &&
         (Test == Condition::kEqual || Test == Condition::kNotEqual);
}

// The preceding instruction that computed or moved the value that is compared with zero, and has
// therefore set the codes.
MachineInstr* ExpandPseudos::setterFor(MachineInstr& Branch) const {
  if (!testsForZero(Branch))
    return nullptr;
  Register Tested = Branch.getOperand(0).getReg();
  auto Sets = [](const MachineInstr& Instruction) {
    return Instruction.getDesc().hasImplicitDefOfPhysReg(CC);
  };
  MachineInstr* Previous = Branch.getPrevNode();
  while (Previous &&
         (Previous->isDebugInstr() || (LooksBack && isPassedByCodes(*Previous, Tested))))
    Previous = Previous->getPrevNode();
  if (!Previous || Previous->isPseudo() || !Sets(*Previous) || Previous->getNumExplicitDefs() != 1)
    return nullptr;
  bool IsMoveOfTested =
      LooksBack && Previous->getOpcode() == MOVE_r && Previous->getOperand(1).getReg() == Tested;
  return Previous->getOperand(0).getReg() == Tested || IsMoveOfTested ? Previous : nullptr;
}

// Moves the instruction that computed the tested value down to the branch, if what stands in
// between is simple and independent: that can fill the branch's slots.
bool ExpandPseudos::bringSetterTo(MachineInstr& Branch) const {
  const Register Tested = Branch.getOperand(0).getReg();
  Footprint Between(*Registers);
  for (MachineInstr* Above = Branch.getPrevNode(); Above; Above = Above->getPrevNode()) {
    if (Above->isDebugInstr())
      continue;
    if (!isSimple(*Above) || isTiedToNeighbour(*Above) || usesCodes(*Above))
      return false;
    if (!Above->modifiesRegister(Tested, Registers)) {
      Between.add(*Above);
      continue;
    }
    if (!definesCodes(*Above) || Between.conflictsWith(*Above))
      return false;
    for (MachineInstr& Passed : make_range(std::next(Above->getIterator()), Branch.getIterator()))
      for (const MachineOperand& Used : Above->uses())
        if (Used.isReg())
          Passed.clearRegisterKills(Used.getReg(), Registers);
    Above->moveBefore(&Branch);
    return true;
  }
  return false;
}

// An instruction that does not change the codes, and the value that they describe.
bool ExpandPseudos::isPassedByCodes(const MachineInstr& Instruction, Register Tested) const {
  if (Instruction.isKill() || Instruction.isImplicitDef())
    return true;
  return !Instruction.isPseudo() && !Instruction.isInlineAsm() && !Instruction.isTerminator() &&
         !Instruction.getDesc().hasImplicitDefOfPhysReg(CC) &&
         !Instruction.modifiesRegister(Tested, Registers);
}

void ExpandPseudos::expandCompareBranch(MachineInstr& Instruction) {
  CompareBranch Opcodes = opcodesOf(static_cast<Condition>(Instruction.getOperand(2).getImm()));
  MachineInstr* Setter = setterFor(Instruction);
  if (!Setter && LooksBack && testsForZero(Instruction) && bringSetterTo(Instruction))
    Setter = setterFor(Instruction);
  if (Setter) {
    if (Setter->getOpcode() == LD_FIELD || Setter->getOpcode() == LD_FIELD_W_CLR)
      Setter->getOperand(Setter->getNumExplicitOperands() - 1).setImm(1);  // load_cc
    for (MachineOperand& Operand : Setter->implicit_operands())
      if (Operand.isReg() && Operand.isDef() && Operand.getReg() == CC)
        Operand.setIsDead(false);
  } else {
    bool Immediate = Instruction.getOpcode() == COMPARE_BRANCH_ri;
    build(Instruction, Immediate ? Opcodes.CompareImmediate : Opcodes.CompareRegister)
        .add(Instruction.getOperand(0))
        .add(Instruction.getOperand(1));
  }
  build(Instruction, Opcodes.Branch).addMBB(Instruction.getOperand(3).getMBB()).addImm(0);
}

void ExpandPseudos::expandPairBranch(MachineInstr& Branch) {
  auto Source = [&](unsigned Index) {
    MachineOperand Used = Branch.getOperand(Index);
    Used.setIsKill(false);
    return Used;
  };
  build(Branch, SUB_cc_rr).add(Source(0)).add(Source(1));
  build(Branch, ADD_CARRY_cc_rr).add(Source(2)).add(Source(3));
  build(Branch, opcodesOf(static_cast<Condition>(Branch.getOperand(4).getImm())).Branch)
      .addMBB(Branch.getOperand(5).getMBB())
      .addImm(0);
}

// Operands of an exchange: what is received, the longwords sent, the address if there is one, the
// real opcode.
void ExpandPseudos::expandExchange(MachineInstr& Instruction) {
  bool HasAddress = Instruction.getOpcode() != EXCHANGE_2;
  unsigned Longwords = Instruction.getOpcode() == EXCHANGE_1 ? 1 : 2;
  MCRegister Tuple = Instruction.getOperand(0).getReg();
  MCRegister First = Registers->getSubReg(Tuple, word0);
  // What is sent may be undefined; no block defines it then.
  auto Sent = [&](unsigned Index) {
    MachineOperand Longword = Instruction.getOperand(Index);
    Longword.setIsKill(false);
    return Longword;
  };
  build(Instruction, MOVE_r, First).add(Sent(1));
  if (Longwords == 2)
    build(Instruction, MOVE_r, Registers->getSubReg(Tuple, word1)).add(Sent(2));
  unsigned Opcode = Instruction.getOperand(Instruction.getNumExplicitOperands() - 1).getImm();
  MachineInstrBuilder Reference = build(Instruction, Opcode);
  Reference.addReg(
      Longwords == 2 ? Registers->getMatchingSuperReg(First, word0, &SRAMWrite_x2RegClass) : First);
  if (HasAddress)
    Reference.add(Instruction.getOperand(1 + Longwords)).add(Instruction.getOperand(2 + Longwords));
  Reference.addImm(kContextSwapToken);
  SmallVector<MCRegister, 8> Words = microengineWordsOf(Tuple, *Registers);
  for (MCRegister Word : drop_begin(Words, Longwords))
    Reference.addReg(Word, RegState::ImplicitDefine);
}

// What arrived with a wait: the wait defines it from here on.
void ExpandPseudos::expandArrival(MachineInstr& Arrival) {
  MachineInstr* Wait = Arrival.getPrevNode();
  while (Wait && Wait->getOpcode() != CTX_ARB)
    Wait = Wait->getPrevNode();
  if (!Wait)
    return refuseMicroengineInstruction(
        Arrival, "the wait for this reference was moved away from its result");
  for (MCRegister Word : microengineWordsOf(Arrival.getOperand(0).getReg(), *Registers))
    MachineInstrBuilder(*Arrival.getMF(), Wait).addReg(Word, RegState::ImplicitDefine);
}

// Two ALU instructions; one register may be a source of both.
void ExpandPseudos::expandTwoSteps(MachineInstr& Instruction) {
  auto Given = [&](unsigned Index) { return Instruction.getOperand(Index).getReg(); };
  auto Source = [&](unsigned Index) {
    MachineOperand Used = Instruction.getOperand(Index);
    Used.setIsKill(false);
    return Used;
  };
  switch (unsigned Opcode = Instruction.getOpcode()) {
    case ADD_PAIR:
    case SUBTRACT_PAIR:
      build(Instruction, Opcode == ADD_PAIR ? ADD_rr : SUB_rr, Given(0))
          .add(Source(2))
          .add(Source(3));
      if (!Instruction.getOperand(1).isDead())
        build(Instruction, ADD_CARRY_rr, Given(1)).add(Source(4)).add(Source(5));
      break;
    case SIGN_SUM_rr:
    case SIGN_SUM_ri:
      build(Instruction, MOVE_cc_r).add(Source(1));
      build(Instruction, Opcode == SIGN_SUM_rr ? ADD_SIGN_rr : ADD_SIGN_ri, Given(0))
          .add(Source(2))
          .add(Source(3));
      break;
    default:
      build(Instruction, OR_cc_ri).add(Source(2)).addImm(0);
      build(Instruction, SHIFT_MOVE_r, Given(0))
          .add(Source(1))
          .addImm(shiftOperand(Opcode == SHIFT_LEFT_BY_REGISTER ? ShiftKind::kLeftIndirect
                                                                : ShiftKind::kRightIndirect));
  }
}

bool ExpandPseudos::expand(MachineInstr& Instruction) {
  auto Operand = [&](unsigned Index) -> MachineOperand& { return Instruction.getOperand(Index); };
  switch (Instruction.getOpcode()) {
    case COMPARE_BRANCH_rr:
    case COMPARE_BRANCH_ri: expandCompareBranch(Instruction); break;
    case PAIR_BRANCH: expandPairBranch(Instruction); break;
    case ADD_PAIR:
    case SUBTRACT_PAIR:
    case SIGN_SUM_rr:
    case SIGN_SUM_ri:
    case SHIFT_LEFT_BY_REGISTER:
    case SHIFT_RIGHT_BY_REGISTER: expandTwoSteps(Instruction); break;
    case SEARCH_HALVES:
      build(Instruction, FIND_BSET)
          .addReg(Operand(2).getReg())
          .addImm(shiftOperand(ShiftKind::kRight, 16));
      build(Instruction, FIND_BSET).addReg(Operand(2).getReg()).addImm(0);
      build(Instruction, LOAD_BSET_RESULT1, Operand(0).getReg());
      build(Instruction, LOAD_BSET_RESULT2, Operand(1).getReg());
      break;
    case LOAD_CONSTANT: {
      uint32_t Value = Operand(1).getImm();
      Register Destination = Operand(0).getReg();
      build(Instruction, IMMED, Destination).addImm(Value & 0xffff).addImm(0);
      if (Value >> 16)
        build(Instruction, IMMED_W1, Destination).addReg(Destination).addImm(Value >> 16);
      break;
    }
    case LOAD_ADDRESS: {
      Register Destination = Operand(0).getReg();
      MachineOperand Symbol = Operand(1);
      Symbol.setTargetFlags(kLowHalf);
      build(Instruction, IMMED, Destination).add(Symbol).addImm(0);
      Symbol.setTargetFlags(kHighHalf);
      build(Instruction, IMMED_W1, Destination).addReg(Destination).add(Symbol);
      break;
    }
    case TRAP:
      build(Instruction, ANNOTATE).addImm(kAbortAnnotation);
      build(Instruction, CTX_ARB).addImm(kKillEvent).addImm(0);
      break;
    case READ_SHARED:
      build(Instruction, MOVE_r, Operand(0).getReg()).addReg(sharedRegister(Operand(1).getImm()));
      break;
    case WRITE_SHARED:
      build(Instruction, MOVE_r, sharedRegister(Operand(0).getImm())).add(Operand(1));
      break;
    case EXCHANGE_1:
    case EXCHANGE_2:
    case EXCHANGE_2_AT: expandExchange(Instruction); break;
    case TargetOpcode::ARITH_FENCE: expandArrival(Instruction); break;
    default: return false;
  }
  return true;
}

// An annotation marks the next instruction; one at the end of a block would mark whatever else
// reaches the next.
void ExpandPseudos::keepAnnotationsAttached(MachineBasicBlock& Block) {
  for (MachineInstr& Last : reverse(Block)) {
    if (isAnnotation(Last)) {
      BuildMI(Block, Block.end(), Last.getDebugLoc(), Instructions->get(NOP));
      return;
    }
    if (!Last.isMetaInstruction())
      return;  // a word
  }
}

bool ExpandPseudos::runOnMachineFunction(MachineFunction& Function) {
  Instructions = Function.getSubtarget<MicroengineSubtarget>().getInstrInfo();
  Registers = Function.getSubtarget().getRegisterInfo();
  LooksBack = engineOptionsOf(Function).FillSlots;
  for (MachineBasicBlock& Block : Function) {
    expandMicroengineFrameAccesses(Block);
    for (MachineInstr& Instruction : make_early_inc_range(Block))
      if (expand(Instruction))
        Instruction.eraseFromParent();
    keepAnnotationsAttached(Block);
  }
  return true;
}

}  // namespace

FunctionPass* llvm::createMicroengineExpandPseudos() {
  return new ExpandPseudos;
}
