// Choices that become branches: a diamond of blocks whose join picks the value.
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineISelLowering.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "compiler/backend/passes/MicroengineSelects.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;
using Microengine::Condition;

namespace {

// Where the operands of a choice stand.
struct ChoiceShape {
  unsigned FirstTested, Tested;  // operands
  unsigned IfTrue, IfFalse, Condition;
};

std::optional<ChoiceShape> shapeOf(const MachineInstr& Choice) {
  switch (Choice.getOpcode()) {
    case Microengine::SELECT_rr:
    case Microengine::SELECT_ri: return ChoiceShape{1, 2, 3, 4, 5};
    case Microengine::PAIR_SELECT: return ChoiceShape{1, 4, 5, 6, 7};
    default: return std::nullopt;
  }
}

struct Choice {
  Register Result, IfTaken, IfNotTaken;
};

enum class Outcome { kFalse, kTrue };

// What only one value of a choice needs is computed where that value is chosen.
class Sinking {
 public:
  explicit Sinking(MachineBasicBlock& Block)
      : Block(Block), Values(Block.getParent()->getRegInfo()) {}

  // Whether the value, and maybe what it is made of, may leave the block for one that follows.
  bool canMove(Register Value) const {
    const MachineInstr* Maker = Value.isVirtual() ? Values.getUniqueVRegDef(Value) : nullptr;
    if (!Maker || Maker->getParent() != &Block || !Values.hasOneNonDBGUse(Value))
      return false;
    const bool IsPlain = !Maker->isPHI() && !Maker->isCopyLike() && !Maker->isRegSequence() &&
                         !Maker->mayLoadOrStore() && !Maker->hasUnmodeledSideEffects() &&
                         !Maker->isCall() && !Maker->isInlineAsm() && !Maker->isPosition() &&
                         !Maker->readsRegister(Microengine::CC, /*TRI=*/nullptr) &&
                         Maker->getNumExplicitDefs() == 1 &&
                         !Microengine::isReference(Maker->getDesc());
    return IsPlain && none_of(Maker->operands(), [](const MachineOperand& Operand) {
             return Operand.isReg() && Operand.getReg().isPhysical() &&
                    Operand.getReg() != Microengine::CC;
           });
  }
  // Whether it pays: at -O2 only if it changes the other value in place, so that the other outcome
  // needs nothing.
  bool paysToMove(Register Value, Register Other) const {
    return canMove(Value) && (Block.getParent()->getFunction().hasOptSize() ||
                              Values.getUniqueVRegDef(Value)->readsVirtualRegister(Other));
  }
  void moveTo(MachineBasicBlock& Target, Register Value) {
    if (!canMove(Value))
      return;
    MachineInstr& Maker = *Values.getUniqueVRegDef(Value);
    Maker.removeFromParent();
    Target.insert(Target.begin(), &Maker);
    for (const MachineOperand& Operand : Maker.uses())
      if (Operand.isReg() && Operand.getReg().isVirtual()) {
        Values.clearKillFlags(Operand.getReg());
        moveTo(Target, Operand.getReg());
      }
  }

 private:
  MachineBasicBlock& Block;
  MachineRegisterInfo& Values;
};

}  // namespace

// The branch stands in place of `First`; what follows comes to the join.
static MachineBasicBlock* emitDiamond(MachineInstr& First, MachineBasicBlock* Block,
                                      function_ref<void(MachineBasicBlock*)> EmitBranch,
                                      ArrayRef<Choice> Choices) {
  MachineFunction& Function = *Block->getParent();
  const TargetInstrInfo& Instructions = *Function.getSubtarget().getInstrInfo();
  MachineBasicBlock* NotTaken = Function.CreateMachineBasicBlock(Block->getBasicBlock());
  MachineBasicBlock* Join = Function.CreateMachineBasicBlock(Block->getBasicBlock());
  MachineFunction::iterator After = std::next(Block->getIterator());
  Function.insert(After, NotTaken);
  Function.insert(After, Join);
  Join->splice(Join->begin(), Block, std::next(First.getIterator()), Block->end());
  Join->transferSuccessorsAndUpdatePHIs(Block);
  Block->addSuccessor(NotTaken);
  Block->addSuccessor(Join);
  NotTaken->addSuccessor(Join);
  EmitBranch(Join);
  MachineBasicBlock::iterator Start = Join->begin();
  for (const Choice& Picked : Choices)
    BuildMI(*Join, Start, First.getDebugLoc(), Instructions.get(TargetOpcode::PHI), Picked.Result)
        .addReg(Picked.IfNotTaken)
        .addMBB(NotTaken)
        .addReg(Picked.IfTaken)
        .addMBB(Block);
  return Join;
}

static MachineBasicBlock* insertStateValue(MachineInstr& Instruction, MachineBasicBlock* Block) {
  MachineFunction& Function = *Block->getParent();
  const TargetInstrInfo& Instructions = *Function.getSubtarget().getInstrInfo();
  Register Zero = Function.getRegInfo().createVirtualRegister(&Microengine::GPRRegClass);
  Register One = Function.getRegInfo().createVirtualRegister(&Microengine::GPRRegClass);
  DebugLoc Location = Instruction.getDebugLoc();
  for (Register Value : {Zero, One})
    BuildMI(*Block, Instruction, Location, Instructions.get(Microengine::IMMED), Value)
        .addImm(Value == One)
        .addImm(0);
  auto EmitBranch = [&](MachineBasicBlock* Taken) {
    BuildMI(Block, Location, Instructions.get(Instruction.getOperand(1).getImm()))
        .add(Instruction.getOperand(2))
        .addMBB(Taken)
        .addImm(0);
  };
  MachineBasicBlock* Join = emitDiamond(Instruction, Block, EmitBranch,
                                        Choice{Instruction.getOperand(0).getReg(), One, Zero});
  Instruction.eraseFromParent();
  return Join;
}

// The branch that is taken where the choice's condition is as `Outcome` says.
static void emitBranch(const MachineInstr& Instruction, Outcome Taking, MachineBasicBlock* Block,
                       MachineBasicBlock* Taken) {
  const TargetInstrInfo& Instructions = *Block->getParent()->getSubtarget().getInstrInfo();
  const ChoiceShape Shape = *shapeOf(Instruction);
  const unsigned Opcode = Instruction.getOpcode();
  auto Test = static_cast<Condition>(Instruction.getOperand(Shape.Condition).getImm());
  if (Taking == Outcome::kFalse)
    Test = Microengine::invert(Test);
  const bool TestsSign = Opcode == Microengine::SELECT_ri &&
                         Instruction.getOperand(2).getImm() == 0 &&
                         (Test == Condition::kLess || Test == Condition::kGreaterEqual);
  const bool TestsBit = Test == Condition::kBitSet || Test == Condition::kBitClear;
  if (TestsSign || TestsBit) {
    const bool IfSet = Test == Condition::kLess || Test == Condition::kBitSet;
    BuildMI(Block, Instruction.getDebugLoc(),
            Instructions.get(IfSet ? Microengine::BR_BSET : Microengine::BR_BCLR))
        .addReg(Instruction.getOperand(1).getReg())
        .addImm(TestsBit ? Instruction.getOperand(2).getImm() : Microengine::kSignBit)
        .addMBB(Taken)
        .addImm(0);
    return;
  }
  const unsigned Branch = Opcode == Microengine::PAIR_SELECT ? Microengine::PAIR_BRANCH
                          : Opcode == Microengine::SELECT_ri ? Microengine::COMPARE_BRANCH_ri
                                                             : Microengine::COMPARE_BRANCH_rr;
  MachineInstrBuilder Built = BuildMI(Block, Instruction.getDebugLoc(), Instructions.get(Branch));
  for (unsigned Index = Shape.FirstTested; Index <= Shape.Tested; ++Index) {
    MachineOperand Tested = Instruction.getOperand(Index);
    if (Tested.isReg())
      Tested.setIsKill(false);
    Built.add(Tested);
  }
  Built.addImm(static_cast<int64_t>(Test)).addMBB(Taken);
}

static bool haveOneTest(const MachineInstr& First, const MachineInstr& Other) {
  if (First.getOpcode() != Other.getOpcode())
    return false;
  const ChoiceShape Shape = *shapeOf(First);
  for (unsigned Index = Shape.FirstTested; Index <= Shape.Tested; ++Index)
    if (!First.getOperand(Index).isIdenticalTo(Other.getOperand(Index)))
      return false;
  return First.getOperand(Shape.Condition).isIdenticalTo(Other.getOperand(Shape.Condition));
}

namespace {

// A choice and those that follow it with the same test and without need of its result: one branch
// serves all. What they need of the instructions in between moves before the first; the others of
// these stay behind the choices.
class ChoicesOfOneTest {
 public:
  explicit ChoicesOfOneTest(MachineInstr& First) : First(First), Found{&First} {
    noteAsLate(First);
    MachineInstr* Next = First.getNextNode();
    for (unsigned Looked = 0; Next && Looked != kFarthest && mayMoveOver(*Next);) {
      MachineInstr* After = Next->getNextNode();
      if (!Next->isDebugInstr()) {
        consider(*Next);
        ++Looked;
      }
      Next = After;
    }
  }
  ArrayRef<MachineInstr*> choices() const { return Found; }

 private:
  static constexpr unsigned kFarthest = 16;  // instructions: what moves holds registers longer

  static bool mayMoveOver(const MachineInstr& Instruction) {
    return Instruction.isDebugInstr() || shapeOf(Instruction) ||
           (!Instruction.mayLoadOrStore() && !Instruction.hasUnmodeledSideEffects() &&
            !Instruction.isTerminator() && !Instruction.isPHI() && !Instruction.isCall() &&
            !Instruction.isInlineAsm() && !Instruction.isPosition() && !usesRegisters(Instruction));
  }
  // Apart from the condition codes, which no instruction leaves to another here.
  static bool usesRegisters(const MachineInstr& Instruction) {
    return any_of(Instruction.operands(), [](const MachineOperand& Operand) {
      return Operand.isReg() && Operand.getReg().isPhysical() &&
             Operand.getReg() != Microengine::CC;
    });
  }

  void noteAsLate(const MachineInstr& Instruction) {
    for (const MachineOperand& Defined : Instruction.defs())
      Late.insert(Defined.getReg());
  }
  bool needsLate(const MachineInstr& Instruction) const {
    return any_of(Instruction.uses(), [&](const MachineOperand& Operand) {
      return Operand.isReg() && Late.contains(Operand.getReg());
    });
  }
  void consider(MachineInstr& Next) {
    if (needsLate(Next) || (shapeOf(Next) && !haveOneTest(First, Next)))
      return noteAsLate(Next);
    if (!shapeOf(Next))
      return Early.push_back(&Next);
    moveWhatItNeeds(Next);
    Found.push_back(&Next);
    noteAsLate(Next);
  }
  void moveWhatItNeeds(const MachineInstr& Choice) {
    DenseSet<Register> Needed;
    auto NeedOperands = [&](const MachineInstr& Instruction) {
      for (const MachineOperand& Operand : Instruction.uses())
        if (Operand.isReg() && Operand.getReg().isVirtual())
          Needed.insert(Operand.getReg());
    };
    NeedOperands(Choice);
    SmallVector<MachineInstr*, 8> Moved, Staying;
    for (MachineInstr* Instruction : reverse(Early)) {
      const bool IsNeeded = any_of(Instruction->defs(), [&](const MachineOperand& Defined) {
        return Needed.contains(Defined.getReg());
      });
      (IsNeeded ? Moved : Staying).push_back(Instruction);
      if (IsNeeded)
        NeedOperands(*Instruction);
    }
    for (MachineInstr* Instruction : reverse(Moved)) {
      Instruction->moveBefore(&First);
      for (const MachineOperand& Operand : Instruction->uses())
        if (Operand.isReg() && Operand.getReg().isVirtual())
          First.getMF()->getRegInfo().clearKillFlags(Operand.getReg());
    }
    Early.assign(Staying.rbegin(), Staying.rend());
  }

  MachineInstr& First;
  SmallVector<MachineInstr*, 4> Found;
  SmallVector<MachineInstr*, 8> Early;  // in between, and could move before the first
  DenseSet<Register> Late;              // results of choices, and of what needs those
};

}  // namespace

// The branch skips what is computed for one outcome alone; at -O2 only if that is so for all
// choices.
static Outcome outcomeToTake(ArrayRef<MachineInstr*> Choices, MachineBasicBlock& Block) {
  unsigned IfTrue = 0, IfFalse = 0;
  const Sinking ToOutcome(Block);
  for (const MachineInstr* Choice : Choices) {
    const ChoiceShape Shape = *shapeOf(*Choice);
    const Register True = Choice->getOperand(Shape.IfTrue).getReg();
    const Register False = Choice->getOperand(Shape.IfFalse).getReg();
    IfTrue += ToOutcome.paysToMove(True, False);
    IfFalse += ToOutcome.paysToMove(False, True);
  }
  const bool IsForSize = Block.getParent()->getFunction().hasOptSize();
  const bool Pays = IsForSize ? IfTrue > IfFalse : IfTrue == Choices.size();
  return Pays ? Outcome::kFalse : Outcome::kTrue;
}

MachineBasicBlock* MicroengineTargetLowering::EmitInstrWithCustomInserter(
    MachineInstr& Instruction, MachineBasicBlock* Block) const {
  if (Instruction.getOpcode() == Microengine::STATE_VALUE)
    return insertStateValue(Instruction, Block);
  const MachineFunction& Function = *Block->getParent();
  const bool FillsSlots = engineOptionsOf(Function).FillSlots;
  if (FillsSlots && !Function.getFunction().hasOptSize() &&
      Instruction.getOpcode() != Microengine::PAIR_SELECT &&
      Microengine::replaceSelect(Instruction))
    return Block;
  SmallVector<MachineInstr*, 4> Together{&Instruction};
  if (FillsSlots)
    append_range(Together, ChoicesOfOneTest(Instruction).choices().drop_front());
  const ChoiceShape Shape = *shapeOf(Instruction);
  // At -O2 only in the round of a small loop: elsewhere it makes as many programs longer as
  // shorter, as blocks are placed differently.
  const bool ComputesLate =
      FillsSlots && (Function.getFunction().hasOptSize() || Block->isSuccessor(Block));
  const Outcome Taking = ComputesLate ? outcomeToTake(Together, *Block) : Outcome::kTrue;
  SmallVector<Choice, 4> Choices;
  for (const MachineInstr* One : Together) {
    const Register IfTrue = One->getOperand(Shape.IfTrue).getReg();
    const Register IfFalse = One->getOperand(Shape.IfFalse).getReg();
    Choices.push_back({One->getOperand(0).getReg(), Taking == Outcome::kTrue ? IfTrue : IfFalse,
                       Taking == Outcome::kTrue ? IfFalse : IfTrue});
  }
  MachineBasicBlock* Join = emitDiamond(
      Instruction, Block,
      [&](MachineBasicBlock* Taken) { emitBranch(Instruction, Taking, Block, Taken); }, Choices);
  for (MachineInstr* One : Together)
    One->eraseFromParent();
  if (ComputesLate)
    for (const Choice& Picked : reverse(Choices))
      if (Sinking(*Block).paysToMove(Picked.IfNotTaken, Picked.IfTaken))
        Sinking(*Block).moveTo(*Block->getNextNode(), Picked.IfNotTaken);
  return Join;
}
