#include "compiler/backend/MicroengineTransfers.h"

#include "compiler/backend/MicroengineISelLowering.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineBasicBlock.h"

using namespace llvm;
using namespace llvm::Microengine;

static constexpr unsigned kMemoryEvents = static_cast<unsigned>(nplab::isa::Event::kSram) |
                                          static_cast<unsigned>(nplab::isa::Event::kSdram) |
                                          static_cast<unsigned>(nplab::isa::Event::kFbi);

static std::optional<MemorySpace> memoryOf(const MCInstrDesc& Reference) {
  using nplab::isa::Unit;
  switch (unitOf(Reference)) {
    case Unit::kSram: return MemorySpace::kSram;
    case Unit::kSdram: return MemorySpace::kSdram;
    case Unit::kScratch: return MemorySpace::kScratch;
    default: return std::nullopt;
  }
}

// An instruction that does more than move longwords has side effects in the description.
std::optional<Transfer> Microengine::transferOf(const MachineInstr& Instruction) {
  const MCInstrDesc& Description = Instruction.getDesc();
  if (!isReference(Description) || Description.hasUnmodeledSideEffects() ||
      Description.mayLoad() == Description.mayStore())
    return std::nullopt;
  std::optional<MemorySpace> Unit = memoryOf(Description);
  if (!Unit)
    return std::nullopt;
  return Transfer{*Unit, Description.mayLoad()};
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

unsigned Microengine::readOpcode(MemorySpace Unit, unsigned Longwords) {
  static constexpr unsigned kSRAM[] = {SRAM_READ_1_ri, SRAM_READ_2_ri, SRAM_READ_3_ri,
                                       SRAM_READ_4_ri, SRAM_READ_5_ri, SRAM_READ_6_ri,
                                       SRAM_READ_7_ri, SRAM_READ_8_ri};
  static constexpr unsigned kScratch[] = {SCRATCH_READ_1_ri, SCRATCH_READ_2_ri, SCRATCH_READ_3_ri,
                                          SCRATCH_READ_4_ri, SCRATCH_READ_5_ri, SCRATCH_READ_6_ri,
                                          SCRATCH_READ_7_ri, SCRATCH_READ_8_ri};
  static constexpr unsigned kSDRAM[] = {SDRAM_READ_1_ri, SDRAM_READ_2_ri, SDRAM_READ_3_ri,
                                        SDRAM_READ_4_ri};
  switch (Unit) {
    case MemorySpace::kSram: return kSRAM[Longwords - 1];
    case MemorySpace::kScratch: return kScratch[Longwords - 1];
    case MemorySpace::kSdram: return kSDRAM[Longwords / 2 - 1];
  }
  llvm_unreachable("every unit has reads");
}

const TargetRegisterClass& Microengine::readClass(MemorySpace Unit, unsigned Longwords) {
  static const TargetRegisterClass* const kSRAM[] = {
      &SRAMReadRegClass,    &SRAMRead_x2RegClass, &SRAMRead_x3RegClass, &SRAMRead_x4RegClass,
      &SRAMRead_x5RegClass, &SRAMRead_x6RegClass, &SRAMRead_x7RegClass, &SRAMRead_x8RegClass};
  static const TargetRegisterClass* const kSDRAM[] = {&SDRAMRead_x2RegClass, &SDRAMRead_x4RegClass,
                                                      &SDRAMRead_x6RegClass, &SDRAMRead_x8RegClass};
  return Unit == MemorySpace::kSdram ? *kSDRAM[Longwords / 2 - 1] : *kSRAM[Longwords - 1];
}

unsigned Microengine::eventOf(const MachineInstr& Reference) {
  return static_cast<unsigned>(nplab::isa::completion_event(unitOf(Reference.getDesc())));
}

void Microengine::visitUntilWait(MachineInstr& Reference, function_ref<bool(MachineInstr&)> visit) {
  unsigned Event = eventOf(Reference);
  SmallPtrSet<MachineBasicBlock*, 8> Seen;
  SmallVector<MachineBasicBlock*, 8> Ahead;
  // True if the path continues after the block.
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
