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
#include "compiler/backend/passes/MicroengineSlots.h"
#include "llvm/CodeGen/LivePhysRegs.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/DiagnosticInfo.h"

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
  void expandFrameAccesses(MachineBasicBlock& Block);
  void expandFrameAccess(MachineInstr& Access, const LivePhysRegs& Live);
  void expandQuadwordSpill(MachineInstr& Access, const LivePhysRegs& Live);
  MCRegister freeRegister(const TargetRegisterClass& Class, const LivePhysRegs& Live,
                          const MachineInstr& Access) const;
  bool isOverwrittenBelow(MCRegister Word, const MachineInstr& Access) const;
  void delaySpill(MachineInstr& Spill) const;
  void frameAddress(MachineInstr& Access);
  void reference(MachineInstr& Access, bool IsRead, MCRegister Transfer, unsigned Longwords,
                 int64_t Offset);
  SmallVector<MCRegister, 8> wordsOf(MCRegister Value) const;
  static void refuse(const MachineInstr& Access, const char* Message) {
    const Function& Program = Access.getMF()->getFunction();
    Program.getContext().diagnose(
        DiagnosticInfoUnsupported(Program, Message, Access.getDebugLoc()));
  }
  void expandTwoSteps(MachineInstr& Instruction);
  bool expand(MachineInstr& Instruction);
  void expandCompareBranch(MachineInstr& Instruction);
  void expandPairBranch(MachineInstr& Branch);
  void expandExchange(MachineInstr& Instruction);
  void expandArrival(MachineInstr& Arrival);
  MachineInstr* setterFor(MachineInstr& Branch) const;
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
  const MachineRegisterInfo* Values = nullptr;
  MicroengineAddressSpace::Space FrameSpace = MicroengineAddressSpace::kScratch;
  bool LooksBack = false;  // for who set the codes, beyond the instruction in front
};

char ExpandPseudos::ID;

SmallVector<MCRegister, 8> ExpandPseudos::wordsOf(MCRegister Value) const {
  SmallVector<MCRegister, 8> Words;
  for (unsigned Index = 0; Index != 8; ++Index)
    if (MCRegister Word = Registers->getSubReg(Value, word0 + Index))
      Words.push_back(Word);
  if (Words.empty())
    Words.push_back(Value);
  return Words;
}

// A burst counts as live from the first of the moves that gather it; a word whose move is still to
// come is free.
bool ExpandPseudos::isOverwrittenBelow(MCRegister Word, const MachineInstr& Access) const {
  for (auto Next = std::next(Access.getIterator()); Next != Access.getParent()->instr_end(); ++Next)
    for (const MachineOperand& Operand : Next->explicit_operands()) {
      if (!Operand.isReg() || !Operand.getReg() || !Registers->regsOverlap(Operand.getReg(), Word))
        continue;
      return Operand.isDef() && Operand.getReg() == Word &&
             !Next->readsRegister(Word, /*TRI=*/nullptr);
    }
  return false;
}

// A spill between the last of these moves and the reference waits until the burst is sent, if its
// value does too.
void ExpandPseudos::delaySpill(MachineInstr& Spill) const {
  Register Value = Spill.getOperand(0).getReg();
  MachineBasicBlock& Block = *Spill.getParent();
  auto Next = std::next(Spill.getIterator());
  for (; Next != Block.instr_end() && !isReference(Next->getDesc()); ++Next)
    if (Next->modifiesRegister(Value, Registers) || Next->isTerminator() || Next->isCall())
      return;
  if (Next == Block.instr_end())
    return;
  for (auto Passed = std::next(Spill.getIterator()); Passed != std::next(Next); ++Passed)
    Passed->clearRegisterKills(Value, Registers);
  Block.splice(std::next(Next), &Block, Spill.getIterator());
}

static void addLiveBehind(const MachineInstr& Instruction, LivePhysRegs& Live) {
  Live.addLiveOuts(*Instruction.getParent());
  for (auto Next = Instruction.getParent()->rbegin(); &*Next != &Instruction; ++Next)
    Live.stepBackward(*Next);
}

MCRegister ExpandPseudos::freeRegister(const TargetRegisterClass& Class, const LivePhysRegs& Live,
                                       const MachineInstr& Access) const {
  for (MCRegister Candidate : Class)
    if (Live.available(*Values, Candidate) && !Access.readsRegister(Candidate, Registers))
      return Candidate;
  for (MCRegister Candidate : Class)
    if (isOverwrittenBelow(Candidate, Access))
      return Candidate;
  return MCRegister();
}

// The opcode by the longwords that it moves; none for those that the memory does not.
static unsigned frameOpcode(MicroengineAddressSpace::Space Space, bool IsRead, unsigned Longwords,
                            bool Far) {
#define NPLAB_FORMS(name) {name##_ri, name##_rr}
#define NPLAB_LENGTHS(name)                                                                    \
  {NPLAB_FORMS(name##_1), NPLAB_FORMS(name##_2), NPLAB_FORMS(name##_3), NPLAB_FORMS(name##_4), \
   NPLAB_FORMS(name##_5), NPLAB_FORMS(name##_6), NPLAB_FORMS(name##_7), NPLAB_FORMS(name##_8)}
  static constexpr unsigned kSRAM[2][8][2] = {NPLAB_LENGTHS(SRAM_WRITE), NPLAB_LENGTHS(SRAM_READ)};
  static constexpr unsigned kScratch[2][8][2] = {NPLAB_LENGTHS(SCRATCH_WRITE),
                                                 NPLAB_LENGTHS(SCRATCH_READ)};
  static constexpr unsigned kSDRAM[2][4][2] = {
      {NPLAB_FORMS(SDRAM_WRITE_1), NPLAB_FORMS(SDRAM_WRITE_2), NPLAB_FORMS(SDRAM_WRITE_3),
       NPLAB_FORMS(SDRAM_WRITE_4)},
      {NPLAB_FORMS(SDRAM_READ_1), NPLAB_FORMS(SDRAM_READ_2), NPLAB_FORMS(SDRAM_READ_3),
       NPLAB_FORMS(SDRAM_READ_4)}};
#undef NPLAB_LENGTHS
#undef NPLAB_FORMS
  switch (Space) {
    case MicroengineAddressSpace::kSram: return kSRAM[IsRead][Longwords - 1][Far];
    case MicroengineAddressSpace::kSdram: return kSDRAM[IsRead][Longwords / 2 - 1][Far];
    default: return kScratch[IsRead][Longwords - 1][Far];
  }
}

void ExpandPseudos::reference(MachineInstr& Access, bool IsRead, MCRegister Transfer,
                              unsigned Longwords, int64_t Offset) {
  bool Far = !isUInt<7>(Offset);
  if (Far)
    build(Access, IMMED, A15).addImm(Offset).addImm(0);
  MachineInstrBuilder Reference = build(Access, frameOpcode(FrameSpace, IsRead, Longwords, Far));
  Reference.addReg(Transfer, IsRead ? RegState::Define : 0).addReg(B15);
  if (Far)
    Reference.addReg(A15);
  else
    Reference.addImm(Offset);
  Reference.addImm(kContextSwapToken).cloneMemRefs(Access);
}

void ExpandPseudos::frameAddress(MachineInstr& Access) {
  constexpr int64_t LargestImmediate = 31;
  Register Destination = Access.getOperand(0).getReg();
  int64_t Offset = Access.getOperand(2).getImm();
  if (Offset >= 128) {
    build(Access, IMMED, A15).addImm(Offset).addImm(0);
    build(Access, ADD_rr, Destination).addReg(A15).addReg(B15);
    return;
  }
  Register Base = B15;
  do {
    int64_t Step = std::min(Offset, LargestImmediate);
    build(Access, ADD_ri, Destination).addReg(Base).addImm(Step);
    Offset -= Step;
    Base = Destination;
  } while (Offset != 0);
}

void ExpandPseudos::expandFrameAccess(MachineInstr& Access, const LivePhysRegs& Live) {
  if (Access.getOpcode() == FRAME_ADDRESS)
    return frameAddress(Access);
  if (FrameSpace == MicroengineAddressSpace::kSdram)
    return expandQuadwordSpill(Access, Live);
  MCRegister Value = Access.getOperand(0).getReg();
  int64_t Offset = Access.getOperand(2).getImm();
  SmallVector<MCRegister, 8> Words = wordsOf(Value);
  bool IsRead = Access.getOpcode() == FRAME_READ || Access.getOpcode() == RELOAD;
  if (SRAMExchange_x1RegClass.contains(Value) || SRAMExchange_x2RegClass.contains(Value))
    return refuse(Access, "out of SRAM transfer registers; use fewer or smaller bursts at a time");
  if ((IsRead ? SRAMReadRegClass : SRAMWriteRegClass).contains(Words[0]))
    return reference(Access, IsRead, Value, Words.size(), Offset);
  if ((IsRead ? SDRAMReadRegClass : SDRAMWriteRegClass).contains(Words[0]))
    return refuse(Access,
                  "out of SDRAM transfer registers; use fewer or smaller SDRAM bursts at a time");
  MCRegister Transfer = freeRegister(IsRead ? SRAMReadRegClass : SRAMWriteRegClass, Live, Access);
  if (!Transfer && !IsRead) {
    delaySpill(Access);
    LivePhysRegs LiveThere(*Registers);
    addLiveBehind(Access, LiveThere);
    Transfer = freeRegister(SRAMWriteRegClass, LiveThere, Access);
  }
  if (!Transfer)
    return refuse(Access,
                  "no transfer register is free for a local in memory; use fewer or smaller bursts "
                  "around it");
  for (auto [Index, Word] : enumerate(Words)) {
    if (!IsRead)
      build(Access, MOVE_r, Transfer).addReg(Word);
    reference(Access, IsRead, Transfer, 1, Offset + 4 * Index);
    if (IsRead)
      build(Access, MOVE_r, Word).addReg(Transfer);
  }
}

// A pair of SDRAM transfer registers carries each quadword of the slot, unless the value is in such
// registers itself.
void ExpandPseudos::expandQuadwordSpill(MachineInstr& Access, const LivePhysRegs& Live) {
  bool IsRead = Access.getOpcode() == RELOAD;
  MCRegister Value = Access.getOperand(0).getReg();
  int64_t Offset = Access.getOperand(2).getImm();
  SmallVector<MCRegister, 8> Words = wordsOf(Value);
  const TargetRegisterClass& File = IsRead ? SDRAMReadRegClass : SDRAMWriteRegClass;
  if (File.contains(Words[0]) && Words.size() % 2 == 0)
    return reference(Access, IsRead, Value, Words.size(), Offset);
  // What only a reference reads or writes.
  if ((IsRead ? SRAMReadRegClass : SRAMWriteRegClass).contains(Words[0]) || File.contains(Words[0]))
    return refuse(Access, "out of transfer registers; use fewer or smaller bursts at a time");
  MCRegister Pair =
      freeRegister(IsRead ? SDRAMRead_x2RegClass : SDRAMWrite_x2RegClass, Live, Access);
  if (!Pair)
    return refuse(
        Access,
        "no pair of SDRAM transfer registers is free for a local in SDRAM; use fewer or smaller "
        "bursts around it");
  MCRegister Halves[] = {Registers->getSubReg(Pair, word0), Registers->getSubReg(Pair, word1)};
  for (unsigned First = 0; First < Words.size(); First += 2) {
    bool HasSecond = First + 1 != Words.size();
    if (!IsRead) {
      build(Access, MOVE_r, Halves[0]).addReg(Words[First]);
      build(Access, MOVE_r, Halves[1]).addReg(Words[HasSecond ? First + 1 : First]);
    }
    reference(Access, IsRead, Pair, 2, Offset + 4 * First);
    if (!IsRead)
      continue;
    build(Access, MOVE_r, Words[First]).addReg(Halves[0]);
    if (HasSecond)
      build(Access, MOVE_r, Words[First + 1]).addReg(Halves[1]);
  }
}

// Operands of a frame access: the value or destination, 0, the offset from the frame's base.
void ExpandPseudos::expandFrameAccesses(MachineBasicBlock& Block) {
  LivePhysRegs Live(*Registers);
  Live.addLiveOuts(Block);
  for (MachineInstr& Instruction : make_early_inc_range(reverse(Block))) {
    switch (Instruction.getOpcode()) {
      case FRAME_ADDRESS:
      case FRAME_READ:
      case FRAME_WRITE:
      case SPILL:
      case RELOAD:
        expandFrameAccess(Instruction, Live);
        Live.stepBackward(Instruction);
        Instruction.eraseFromParent();
        break;
      default: Live.stepBackward(Instruction);
    }
  }
}

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

// The preceding instruction that computed or moved the value that is compared with zero, and has
// therefore set the codes.
MachineInstr* ExpandPseudos::setterFor(MachineInstr& Branch) const {
  auto Test = static_cast<Condition>(Branch.getOperand(2).getImm());
  if (Branch.getOpcode() != COMPARE_BRANCH_ri || Branch.getOperand(1).getImm() != 0)
    return nullptr;
  if (Test != Condition::kEqual && Test != Condition::kNotEqual)
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
  if (MachineInstr* Setter = setterFor(Instruction)) {
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
  SmallVector<MCRegister, 8> Words = wordsOf(Tuple);
  for (MCRegister Word : drop_begin(Words, Longwords))
    Reference.addReg(Word, RegState::ImplicitDefine);
}

// What arrived with a wait: the wait defines it from here on.
void ExpandPseudos::expandArrival(MachineInstr& Arrival) {
  MachineInstr* Wait = Arrival.getPrevNode();
  while (Wait && Wait->getOpcode() != CTX_ARB)
    Wait = Wait->getPrevNode();
  if (!Wait)
    return refuse(Arrival, "the wait for this reference was moved away from its result");
  for (MCRegister Word : wordsOf(Arrival.getOperand(0).getReg()))
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
  Values = &Function.getRegInfo();
  const auto& Options = engineOptionsOf(Function);
  FrameSpace = Options.DefaultSpace;
  LooksBack = Options.FillSlots;
  for (MachineBasicBlock& Block : Function) {
    expandFrameAccesses(Block);
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
