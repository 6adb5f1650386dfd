// Reads of neighbouring addresses become one burst.
//
// Expects: SSA, before banks are assigned.
// Does: LLVM's vectoriser forms bursts of 2, 4 and 8 longwords where it knows the pointers. Here,
// on machine code, any length that a reference can move counts, and a base register and an offset
// say what is a neighbour, however the address was computed.
//
//   before   %1 = SRAM_READ_1_ri %0, 0    %2 = SRAM_READ_1_ri %0, 4
//   after    %3 = SRAM_READ_2_ri %0, 0    %1 = COPY %3.word0    %2 = COPY %3.word1
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "compiler/backend/passes/MicroengineRemarks.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

constexpr unsigned kLongestBurst = 8;  // of a reference

struct OffsetRead {
  MachineInstr* Reference;
  MemorySpace Unit;
  Register Base;
  int64_t Offset;  // bytes
  unsigned Longwords;
  unsigned Order;  // in the block
};

class MergeReads : public MachineFunctionPass {
 public:
  static char ID;
  MergeReads() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine merged reads"; }
  void getAnalysisUsage(AnalysisUsage& Usage) const override {
    Usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }
  bool runOnMachineFunction(MachineFunction& Function) override;

 private:
  std::optional<OffsetRead> readOf(MachineInstr& Instruction, unsigned Order) const;
  bool isBarrier(const MachineInstr& Instruction) const;
  bool runOnBlock(MachineBasicBlock& Block);
  bool mergeAll(SmallVectorImpl<OffsetRead>& Reads);
  void merge(ArrayRef<OffsetRead> Parts);
  void takeFrom(Register Burst, unsigned Word, const OffsetRead& Part, MachineInstr& Position);

  const TargetInstrInfo* Instructions = nullptr;
  const TargetRegisterInfo* Registers = nullptr;
  MachineRegisterInfo* Values = nullptr;
};

char MergeReads::ID;

// A blocking read of an offset from a register whose longwords are taken out one by one.
std::optional<OffsetRead> MergeReads::readOf(MachineInstr& Instruction, unsigned Order) const {
  std::optional<Transfer> Kind = transferOf(Instruction);
  if (!Kind || !Kind->Reads || !isOrdinary(Instruction))
    return std::nullopt;
  const MachineOperand &Data = Instruction.getOperand(0), &Base = Instruction.getOperand(1);
  const MachineOperand& Offset = Instruction.getOperand(2);
  if (!Data.getReg().isVirtual() || !Base.isReg() || !Base.getReg().isVirtual() || !Offset.isImm())
    return std::nullopt;
  unsigned Longwords = Registers->getRegSizeInBits(*Values->getRegClass(Data.getReg())) / 32;
  bool TakenApart =
      all_of(Values->use_nodbg_instructions(Data.getReg()), [&](const MachineInstr& Use) {
        return Longwords == 1 || (Use.isCopy() && Use.getOperand(1).getSubReg());
      });
  if (!TakenApart)
    return std::nullopt;
  return OffsetRead{&Instruction, Kind->Unit, Base.getReg(), Offset.getImm(), Longwords, Order};
}

// Reads do not pass what may change memory, nor points at which other contexts or units are
// notified something, nor reads of what C calls volatile or atomic: such a one may say that what is
// read after it has been written.
bool MergeReads::isBarrier(const MachineInstr& Instruction) const {
  std::optional<Transfer> Kind = transferOf(Instruction);
  if (Kind)
    return !Kind->Reads || !swaps(const_cast<MachineInstr&>(Instruction)) ||
           !isOrdinary(Instruction);
  if (Instruction.getOpcode() == FRAME_READ)
    return false;
  return isReference(Instruction.getDesc()) || Instruction.mayStore() ||
         Instruction.hasUnmodeledSideEffects() || Instruction.isInlineAsm() || Instruction.isCall();
}

// In front of the first of them, whose base register all share.
void MergeReads::merge(ArrayRef<OffsetRead> Parts) {
  unsigned Longwords = 0;
  const OffsetRead* First = &Parts.front();
  SmallVector<const MachineInstr*, 8> Merged;
  for (const OffsetRead& Part : Parts) {
    Longwords += Part.Longwords;
    if (Part.Order < First->Order)
      First = &Part;
    Merged.push_back(Part.Reference);
  }
  MachineInstr& Position = *First->Reference;
  MachineBasicBlock& Block = *Position.getParent();
  Register Burst = Values->createVirtualRegister(&readClass(Parts.front().Unit, Longwords));
  BuildMI(Block, Position, Position.getDebugLoc(),
          Instructions->get(readOpcode(Parts.front().Unit, Longwords)), Burst)
      .addReg(Parts.front().Base)
      .addImm(Parts.front().Offset)
      .addImm(kContextSwapToken)
      .cloneMergedMemRefs(Merged);
  remark(Position, kMergeReadsName, "Merged",
         Twine(Parts.size()) + " reads became one of " + Twine(Longwords) + " longwords");
  unsigned Word = 0;
  for (const OffsetRead& Part : Parts) {
    takeFrom(Burst, Word, Part, Position);
    Word += Part.Longwords;
  }
  for (const OffsetRead& Part : Parts)
    Part.Reference->eraseFromParent();
}

// Copies take their longwords from the burst; who used a single longword where it arrived gets a
// copy in front of `Position`.
void MergeReads::takeFrom(Register Burst, unsigned Word, const OffsetRead& Part,
                          MachineInstr& Position) {
  Register Data = Part.Reference->getOperand(0).getReg();
  Values->markUsesInDebugValueAsUndef(Data);
  for (MachineOperand& Source : make_early_inc_range(Values->use_nodbg_operands(Data))) {
    if (!Source.getParent()->isCopy())
      continue;
    unsigned Within = Source.getSubReg() ? Source.getSubReg() - word0 : 0;
    Source.setSubReg(word0 + Word + Within);
    Source.setReg(Burst);
    Source.setIsKill(false);
  }
  if (Values->use_nodbg_empty(Data))
    return;
  Register Taken = Values->createVirtualRegister(&GPRRegClass);
  BuildMI(*Position.getParent(), Position, Part.Reference->getDebugLoc(),
          Instructions->get(TargetOpcode::COPY), Taken)
      .addReg(Burst, 0, word0 + Word);
  for (MachineOperand& Source : make_early_inc_range(Values->use_nodbg_operands(Data)))
    Source.setReg(Taken);
}

bool MergeReads::mergeAll(SmallVectorImpl<OffsetRead>& Reads) {
  auto Place = [](const OffsetRead& Read) {
    return std::tuple(Read.Unit, Read.Base.id(), Read.Offset);
  };
  stable_sort(Reads, [&](const OffsetRead& Left, const OffsetRead& Right) {
    return Place(Left) < Place(Right);
  });
  bool Changed = false;
  for (unsigned Begin = 0, End; Begin < Reads.size(); Begin = End) {
    unsigned Longwords = Reads[Begin].Longwords;
    for (End = Begin + 1; End != Reads.size(); ++End) {
      const OffsetRead &Last = Reads[End - 1], &Next = Reads[End];
      bool IsNeighbour = Next.Unit == Last.Unit && Next.Base == Last.Base &&
                         Next.Offset == Last.Offset + 4 * static_cast<int64_t>(Last.Longwords);
      if (!IsNeighbour || Longwords + Next.Longwords > kLongestBurst)
        break;
      Longwords += Next.Longwords;
    }
    if (End - Begin == 1)
      continue;
    merge(ArrayRef(Reads).slice(Begin, End - Begin));
    Changed = true;
  }
  Reads.clear();
  return Changed;
}

bool MergeReads::runOnBlock(MachineBasicBlock& Block) {
  bool Changed = false;
  unsigned Order = 0;
  SmallVector<OffsetRead, 16> Reads;  // between two barriers
  for (MachineInstr& Instruction : make_early_inc_range(Block)) {
    if (isBarrier(Instruction))
      Changed |= mergeAll(Reads);
    else if (std::optional<OffsetRead> Found = readOf(Instruction, Order++))
      Reads.push_back(*Found);
  }
  return mergeAll(Reads) || Changed;
}

bool MergeReads::runOnMachineFunction(MachineFunction& Function) {
  if (engineOptionsOf(Function).TransferUse != MicroengineTransferUse::kGrouped)
    return false;
  Instructions = Function.getSubtarget().getInstrInfo();
  Registers = Function.getSubtarget().getRegisterInfo();
  Values = &Function.getRegInfo();
  bool Changed = false;
  for (MachineBasicBlock& Block : Function)
    Changed |= runOnBlock(Block);
  return Changed;
}

}  // namespace

FunctionPass* llvm::createMicroengineMergeReads() {
  return new MergeReads;
}
