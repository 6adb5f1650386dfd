#include "compiler/backend/MicroengineTransfers.h"

#include "compiler/backend/MicroengineISelLowering.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

static constexpr unsigned kMemoryEvents = static_cast<unsigned>(nplab::isa::Event::kSram) |
                                          static_cast<unsigned>(nplab::isa::Event::kSdram) |
                                          static_cast<unsigned>(nplab::isa::Event::kFbi);

std::optional<Transfer> Microengine::transferOf(const MachineInstr& Instruction,
                                                const TargetInstrInfo& Instructions) {
  if (!isReference(Instruction.getDesc()))
    return std::nullopt;
  StringRef Name = Instructions.getName(Instruction.getOpcode());
  MemoryUnit Unit;
  if (Name.consume_front("SRAM_"))
    Unit = MemoryUnit::SRAM;
  else if (Name.consume_front("SDRAM_"))
    Unit = MemoryUnit::SDRAM;
  else if (Name.consume_front("SCRATCH_"))
    Unit = MemoryUnit::Scratch;
  else
    return std::nullopt;
  bool Reads = Name.consume_front("READ_");
  if (!Reads && !Name.consume_front("WRITE_"))
    return std::nullopt;
  if (!isDigit(Name.front()))
    return std::nullopt;
  return Transfer{Unit, Reads};
}

bool Microengine::isOrdinary(const MachineInstr& Reference) {
  return !Reference.memoperands_empty() &&
         all_of(Reference.memoperands(), [](const MachineMemOperand* Memory) {
           return Memory->getFlags() & MicroengineOrdinaryAccess;
         });
}

bool Microengine::touchesShared(const MachineInstr& Instruction) {
  return any_of(Instruction.operands(), [](const MachineOperand& Operand) {
    return Operand.isReg() && AbsoluteGPRRegClass.contains(Operand.getReg());
  });
}

unsigned Microengine::readOpcode(MemoryUnit Unit, unsigned Longwords) {
  static constexpr unsigned kSRAM[] = {SRAM_READ_1_ri, SRAM_READ_2_ri, SRAM_READ_3_ri,
                                       SRAM_READ_4_ri, SRAM_READ_5_ri, SRAM_READ_6_ri,
                                       SRAM_READ_7_ri, SRAM_READ_8_ri};
  static constexpr unsigned kScratch[] = {SCRATCH_READ_1_ri, SCRATCH_READ_2_ri, SCRATCH_READ_3_ri,
                                          SCRATCH_READ_4_ri, SCRATCH_READ_5_ri, SCRATCH_READ_6_ri,
                                          SCRATCH_READ_7_ri, SCRATCH_READ_8_ri};
  static constexpr unsigned kSDRAM[] = {SDRAM_READ_1_ri, SDRAM_READ_2_ri, SDRAM_READ_3_ri,
                                        SDRAM_READ_4_ri};
  switch (Unit) {
    case MemoryUnit::SRAM: return kSRAM[Longwords - 1];
    case MemoryUnit::Scratch: return kScratch[Longwords - 1];
    case MemoryUnit::SDRAM: return kSDRAM[Longwords / 2 - 1];
  }
  llvm_unreachable("every unit has reads");
}

const TargetRegisterClass& Microengine::readClass(MemoryUnit Unit, unsigned Longwords) {
  static const TargetRegisterClass* const kSRAM[] = {
      &SRAMReadRegClass,    &SRAMRead_x2RegClass, &SRAMRead_x3RegClass, &SRAMRead_x4RegClass,
      &SRAMRead_x5RegClass, &SRAMRead_x6RegClass, &SRAMRead_x7RegClass, &SRAMRead_x8RegClass};
  static const TargetRegisterClass* const kSDRAM[] = {&SDRAMRead_x2RegClass, &SDRAMRead_x4RegClass,
                                                      &SDRAMRead_x6RegClass, &SDRAMRead_x8RegClass};
  return Unit == MemoryUnit::SDRAM ? *kSDRAM[Longwords / 2 - 1] : *kSRAM[Longwords - 1];
}

unsigned Microengine::eventOf(const MachineInstr& Reference, const TargetInstrInfo& Instructions) {
  StringRef Name = Instructions.getName(Reference.getOpcode());
  using nplab::isa::Event;
  return static_cast<unsigned>(Name.starts_with("SRAM_")    ? Event::kSram
                               : Name.starts_with("SDRAM_") ? Event::kSdram
                                                            : Event::kFbi);
}

void Microengine::visitUntilWait(MachineInstr& Reference, const TargetInstrInfo& Instructions,
                                 function_ref<bool(MachineInstr&)> visit) {
  unsigned Event = eventOf(Reference, Instructions);
  SmallPtrSet<MachineBasicBlock*, 8> Seen;
  SmallVector<MachineBasicBlock*, 8> Ahead;
  // True if the way goes on behind the block.
  auto Walk = [&](MachineBasicBlock::instr_iterator From, MachineBasicBlock& Block) {
    for (auto Next = From; Next != Block.instr_end(); ++Next) {
      if (Next->isDebugInstr())
        continue;
      if (!visit(*Next))
        return false;
      if (Next->getOpcode() == CTX_ARB && Next->getOperand(0).getImm() & Event)
        return false;
    }
    return true;
  };
  if (Walk(std::next(Reference.getIterator()), *Reference.getParent()))
    append_range(Ahead, Reference.getParent()->successors());
  while (!Ahead.empty()) {
    MachineBasicBlock* Block = Ahead.pop_back_val();
    if (Seen.insert(Block).second && Walk(Block->instr_begin(), *Block))
      append_range(Ahead, Block->successors());
  }
}

bool Microengine::usesEvents(const MachineFunction& Function) {
  return any_of(Function, [](const MachineBasicBlock& Block) {
    return any_of(Block, [](const MachineInstr& Instruction) {
      if (Instruction.isInlineAsm())
        return true;
      if (Instruction.getOpcode() == CTX_ARB)
        return (Instruction.getOperand(0).getImm() & kMemoryEvents) != 0;
      return isReference(Instruction.getDesc()) &&
             onlySignals(const_cast<MachineInstr&>(Instruction));
    });
  });
}
