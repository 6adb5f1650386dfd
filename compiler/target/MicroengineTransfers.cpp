#include "compiler/target/MicroengineTransfers.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

std::optional<Transfer> Microengine::transferOf(const MachineInstr &Instruction, const TargetInstrInfo &Instructions) {
  if (!isReference(Instruction.getDesc())) return std::nullopt;
  StringRef Name = Instructions.getName(Instruction.getOpcode());
  MemoryUnit Unit;
  if (Name.consume_front("SRAM_")) Unit = MemoryUnit::SRAM;
  else if (Name.consume_front("SDRAM_")) Unit = MemoryUnit::SDRAM;
  else if (Name.consume_front("SCRATCH_")) Unit = MemoryUnit::Scratch;
  else return std::nullopt;
  bool Reads = Name.consume_front("READ_");
  if (!Reads && !Name.consume_front("WRITE_")) return std::nullopt;
  if (!isDigit(Name.front())) return std::nullopt;
  return Transfer{Unit, Reads};
}

unsigned Microengine::eventOf(const MachineInstr &Reference, const TargetInstrInfo &Instructions) {
  StringRef Name = Instructions.getName(Reference.getOpcode());
  using nplab::isa::Event;
  return static_cast<unsigned>(Name.starts_with("SRAM_")    ? Event::kSram
                               : Name.starts_with("SDRAM_") ? Event::kSdram
                                                            : Event::kFbi);
}

void Microengine::visitUntilWait(MachineInstr &Reference, const TargetInstrInfo &Instructions,
                                 function_ref<bool(MachineInstr &)> visit) {
  unsigned Event = eventOf(Reference, Instructions);
  SmallPtrSet<MachineBasicBlock *, 8> Seen;
  SmallVector<MachineBasicBlock *, 8> Ahead;
  // True if the way goes on behind the block.
  auto Walk = [&](MachineBasicBlock::instr_iterator From, MachineBasicBlock &Block) {
    for (auto Next = From; Next != Block.instr_end(); ++Next) {
      if (Next->isDebugInstr()) continue;
      if (!visit(*Next)) return false;
      if (Next->getOpcode() == CTX_ARB && Next->getOperand(0).getImm() & Event) return false;
    }
    return true;
  };
  if (Walk(std::next(Reference.getIterator()), *Reference.getParent()))
    append_range(Ahead, Reference.getParent()->successors());
  while (!Ahead.empty()) {
    MachineBasicBlock *Block = Ahead.pop_back_val();
    if (Seen.insert(Block).second && Walk(Block->instr_begin(), *Block)) append_range(Ahead, Block->successors());
  }
}
