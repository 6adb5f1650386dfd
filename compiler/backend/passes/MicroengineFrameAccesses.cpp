#include "compiler/backend/passes/MicroengineFrameAccesses.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/CodeGen/LivePhysRegs.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

class FrameAccesses {
 public:
  explicit FrameAccesses(MachineBasicBlock& Block)
      : Block(Block),
        Instructions(*Block.getParent()->getSubtarget<MicroengineSubtarget>().getInstrInfo()),
        Registers(*Block.getParent()->getSubtarget().getRegisterInfo()),
        Values(Block.getParent()->getRegInfo()),
        FrameSpace(engineOptionsOf(*Block.getParent()).DefaultSpace) {}

  void expandAll();

 private:
  void expand(MachineInstr& Access, const LivePhysRegs& Live);
  void expandQuadwordSpill(MachineInstr& Access, const LivePhysRegs& Live);
  MCRegister freeRegister(const TargetRegisterClass& Class, const LivePhysRegs& Live,
                          const MachineInstr& Access) const;
  bool isOverwrittenBelow(MCRegister Word, const MachineInstr& Access) const;
  void delaySpill(MachineInstr& Spill) const;
  void frameAddress(MachineInstr& Access);
  void reference(MachineInstr& Access, bool IsRead, MCRegister Transfer, unsigned Longwords,
                 int64_t Offset);

  MachineInstrBuilder build(MachineInstr& Before, unsigned Opcode) {
    return BuildMI(Block, Before, Before.getDebugLoc(), Instructions.get(Opcode));
  }
  MachineInstrBuilder build(MachineInstr& Before, unsigned Opcode, Register Destination) {
    return BuildMI(Block, Before, Before.getDebugLoc(), Instructions.get(Opcode), Destination);
  }

  MachineBasicBlock& Block;
  const MicroengineInstrInfo& Instructions;
  const TargetRegisterInfo& Registers;
  const MachineRegisterInfo& Values;
  const MicroengineAddressSpace::Space FrameSpace;
};

// A burst counts as live from the first of the moves that gather it; a word whose move is still to
// come is free.
bool FrameAccesses::isOverwrittenBelow(MCRegister Word, const MachineInstr& Access) const {
  for (auto Next = std::next(Access.getIterator()); Next != Access.getParent()->instr_end();
       ++Next) {
    if (Next->isDebugInstr())
      continue;
    for (const MachineOperand& Operand : Next->explicit_operands()) {
      if (!Operand.isReg() || !Operand.getReg() || !Registers.regsOverlap(Operand.getReg(), Word))
        continue;
      return Operand.isDef() && Operand.getReg() == Word &&
             !Next->readsRegister(Word, /*TRI=*/nullptr);
    }
  }
  return false;
}

// A spill between the last of these moves and the reference waits until the burst is sent, if its
// value does too.
void FrameAccesses::delaySpill(MachineInstr& Spill) const {
  Register Value = Spill.getOperand(0).getReg();
  auto Next = std::next(Spill.getIterator());
  for (; Next != Block.instr_end() && !isReference(Next->getDesc()); ++Next)
    if (Next->modifiesRegister(Value, &Registers) || Next->isTerminator() || Next->isCall())
      return;
  if (Next == Block.instr_end())
    return;
  for (auto Passed = std::next(Spill.getIterator()); Passed != std::next(Next); ++Passed)
    Passed->clearRegisterKills(Value, &Registers);
  Block.splice(std::next(Next), &Block, Spill.getIterator());
}

void addLiveBehind(const MachineInstr& Instruction, LivePhysRegs& Live) {
  Live.addLiveOuts(*Instruction.getParent());
  for (auto Next = Instruction.getParent()->rbegin(); &*Next != &Instruction; ++Next)
    if (!Next->isDebugInstr())
      Live.stepBackward(*Next);
}

MCRegister FrameAccesses::freeRegister(const TargetRegisterClass& Class, const LivePhysRegs& Live,
                                       const MachineInstr& Access) const {
  for (MCRegister Candidate : Class)
    if (Live.available(Values, Candidate) && !Access.readsRegister(Candidate, &Registers))
      return Candidate;
  for (MCRegister Candidate : Class)
    if (isOverwrittenBelow(Candidate, Access))
      return Candidate;
  return MCRegister();
}

// The opcode by the longwords that it moves; none for those that the memory does not.
unsigned frameOpcode(MicroengineAddressSpace::Space Space, bool IsRead, unsigned Longwords,
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

void FrameAccesses::reference(MachineInstr& Access, bool IsRead, MCRegister Transfer,
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

void FrameAccesses::frameAddress(MachineInstr& Access) {
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

void FrameAccesses::expand(MachineInstr& Access, const LivePhysRegs& Live) {
  if (Access.getOpcode() == FRAME_ADDRESS)
    return frameAddress(Access);
  if (FrameSpace == MicroengineAddressSpace::kSdram)
    return expandQuadwordSpill(Access, Live);
  MCRegister Value = Access.getOperand(0).getReg();
  int64_t Offset = Access.getOperand(2).getImm();
  SmallVector<MCRegister, 8> Words = microengineWordsOf(Value, Registers);
  bool IsRead = Access.getOpcode() == FRAME_READ || Access.getOpcode() == RELOAD;
  if (SRAMExchange_x1RegClass.contains(Value) || SRAMExchange_x2RegClass.contains(Value))
    return refuseMicroengineInstruction(
        Access, "out of SRAM transfer registers; use fewer or smaller bursts at a time");
  if ((IsRead ? SRAMReadRegClass : SRAMWriteRegClass).contains(Words[0]))
    return reference(Access, IsRead, Value, Words.size(), Offset);
  if ((IsRead ? SDRAMReadRegClass : SDRAMWriteRegClass).contains(Words[0]))
    return refuseMicroengineInstruction(
        Access, "out of SDRAM transfer registers; use fewer or smaller SDRAM bursts at a time");
  MCRegister Transfer = freeRegister(IsRead ? SRAMReadRegClass : SRAMWriteRegClass, Live, Access);
  if (!Transfer && !IsRead) {
    delaySpill(Access);
    LivePhysRegs LiveThere(Registers);
    addLiveBehind(Access, LiveThere);
    Transfer = freeRegister(SRAMWriteRegClass, LiveThere, Access);
  }
  if (!Transfer)
    return refuseMicroengineInstruction(
        Access,
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
void FrameAccesses::expandQuadwordSpill(MachineInstr& Access, const LivePhysRegs& Live) {
  bool IsRead = Access.getOpcode() == RELOAD;
  MCRegister Value = Access.getOperand(0).getReg();
  int64_t Offset = Access.getOperand(2).getImm();
  SmallVector<MCRegister, 8> Words = microengineWordsOf(Value, Registers);
  const TargetRegisterClass& File = IsRead ? SDRAMReadRegClass : SDRAMWriteRegClass;
  if (File.contains(Words[0]) && Words.size() % 2 == 0)
    return reference(Access, IsRead, Value, Words.size(), Offset);
  // What only a reference reads or writes.
  if ((IsRead ? SRAMReadRegClass : SRAMWriteRegClass).contains(Words[0]) || File.contains(Words[0]))
    return refuseMicroengineInstruction(
        Access, "out of transfer registers; use fewer or smaller bursts at a time");
  MCRegister Pair =
      freeRegister(IsRead ? SDRAMRead_x2RegClass : SDRAMWrite_x2RegClass, Live, Access);
  if (!Pair)
    return refuseMicroengineInstruction(
        Access,
        "no pair of SDRAM transfer registers is free for a local in SDRAM; use fewer or smaller "
        "bursts around it");
  MCRegister Halves[] = {Registers.getSubReg(Pair, word0), Registers.getSubReg(Pair, word1)};
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
void FrameAccesses::expandAll() {
  LivePhysRegs Live(Registers);
  Live.addLiveOuts(Block);
  for (MachineInstr& Instruction : make_early_inc_range(reverse(Block))) {
    switch (Instruction.getOpcode()) {
      case FRAME_ADDRESS:
      case FRAME_READ:
      case FRAME_WRITE:
      case SPILL:
      case RELOAD:
        expand(Instruction, Live);
        Live.stepBackward(Instruction);
        Instruction.eraseFromParent();
        break;
      default:
        if (!Instruction.isDebugInstr())
          Live.stepBackward(Instruction);
    }
  }
}

}  // namespace

SmallVector<MCRegister, 8> llvm::microengineWordsOf(MCRegister Value,
                                                    const TargetRegisterInfo& Registers) {
  SmallVector<MCRegister, 8> Words;
  for (unsigned Index = 0; Index != 8; ++Index)
    if (MCRegister Word = Registers.getSubReg(Value, word0 + Index))
      Words.push_back(Word);
  if (Words.empty())
    Words.push_back(Value);
  return Words;
}

void llvm::refuseMicroengineInstruction(const MachineInstr& Refused, const char* Message) {
  const Function& Program = Refused.getMF()->getFunction();
  Program.getContext().diagnose(DiagnosticInfoUnsupported(Program, Message, Refused.getDebugLoc()));
}

void llvm::expandMicroengineFrameAccesses(MachineBasicBlock& Block) {
  FrameAccesses(Block).expandAll();
}
