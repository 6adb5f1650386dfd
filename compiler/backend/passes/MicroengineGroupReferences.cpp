#include "compiler/backend/passes/MicroengineGroupReferences.h"

#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

// Longwords of a group that may be in a file of transfer registers at a time, of 8; the rest is for
// others.
constexpr unsigned kMostLongwords = 6;

class Grouping {
 public:
  explicit Grouping(MachineFunction& Function)
      : Function(Function),
        Values(Function.getRegInfo()),
        Registers(*Function.getSubtarget().getRegisterInfo()) {}

  DenseMap<const MachineInstr*, MachineInstr*> run() {
    SeveralUnits = waitsForSeveralUnits(Function);
    for (MachineBasicBlock& Block : Function)
      runOnBlock(Block);
    return std::move(LastOf);
  }

 private:
  void runOnBlock(MachineBasicBlock& Block);
  bool bringUp(MachineInstr& Reference);
  bool accepts(MachineInstr& Reference, Transfer Kind);
  void add(MachineInstr& Reference, Transfer Kind);
  void clear() {
    Members.clear();
    LastKinds.clear();
    Longwords = {};
    AreOrdinary = true;
  }
  static unsigned fileOf(Transfer Kind) { return Kind.Unit == MemorySpace::kSdram; }
  unsigned longwordsOf(const MachineInstr& Reference, Transfer Kind) const;
  bool canMove(const MachineInstr& Instruction) const;

  MachineFunction& Function;
  MachineRegisterInfo& Values;
  const TargetRegisterInfo& Registers;
  SmallVector<MachineInstr*, 8> Members;
  SmallVector<Transfer, 3> LastKinds;  // of each unit of the group
  std::array<unsigned, 2>
      Longwords{};  // in the SRAM file, which scratch shares, and in the SDRAM file
  bool SeveralUnits = false;
  bool AreOrdinary = true;
  DenseMap<const MachineInstr*, MachineInstr*> LastOf;
};

// A longword that arrives and is not used holds no register.
unsigned Grouping::longwordsOf(const MachineInstr& Reference, Transfer Kind) const {
  Register Data = Reference.getOperand(0).getReg();
  if (!Data.isVirtual() || (Kind.Reads && Values.use_nodbg_empty(Data)))
    return 0;
  return Registers.getRegSizeInBits(*Values.getRegClass(Data)) / 32;
}

bool Grouping::canMove(const MachineInstr& Instruction) const {
  if (Instruction.isCopy() || Instruction.isRegSequence())
    return true;
  return !Instruction.isPHI() && !Instruction.isPosition() && !Instruction.isTerminator() &&
         !Instruction.mayLoadOrStore() && !Instruction.hasUnmodeledSideEffects() &&
         !Instruction.isInlineAsm() && !isReference(Instruction.getDesc());
}

// Whether the members' wait can be the reference's too.
bool Grouping::accepts(MachineInstr& Reference, Transfer Kind) {
  if (Members.empty() || Longwords[fileOf(Kind)] + longwordsOf(Reference, Kind) > kMostLongwords)
    return false;
  const Transfer* Last =
      find_if(LastKinds, [&](Transfer Other) { return Other.Unit == Kind.Unit; });
  bool IsOnlyUnit = Last != LastKinds.end() && LastKinds.size() == 1;
  if (!IsOnlyUnit && !(SeveralUnits && AreOrdinary && isOrdinary(Reference)))
    return false;
  return (Last == LastKinds.end() || covers(Kind, *Last)) && bringUp(Reference);
}

void Grouping::add(MachineInstr& Reference, Transfer Kind) {
  for (MachineInstr* Member : Members) {
    LastOf[Member] = &Reference;
    Register Data = Member->getOperand(0).getReg();
    if (Member->mayStore() && !Member->mayLoad() &&
        Data.isVirtual())  // it must hold still until the last is done
      Reference.addOperand(Function,
                           MachineOperand::CreateReg(Data, /*isDef=*/false, /*isImp=*/true));
  }
  Members.push_back(&Reference);
  AreOrdinary &= isOrdinary(Reference);
  erase_if(LastKinds, [&](Transfer Other) { return Other.Unit == Kind.Unit; });
  LastKinds.push_back(Kind);
  Longwords[fileOf(Kind)] += longwordsOf(Reference, Kind);
}

// Moves instructions that depend on the group's results, and lie between its last member and the
// reference, to after the reference. False, with nothing moved, if the reference depends on them.
bool Grouping::bringUp(MachineInstr& Reference) {
  SmallSet<Register, 16> Tainted;
  for (MachineInstr* Member : Members)
    for (const MachineOperand& Defined : Member->all_defs())
      Tainted.insert(Defined.getReg());
  auto Depends = [&](const MachineInstr& Instruction) {
    return any_of(Instruction.all_uses(),
                  [&](const MachineOperand& Used) { return Tainted.contains(Used.getReg()); });
  };
  SmallVector<MachineInstr*, 16> Moved;
  for (auto Next = std::next(Members.back()->getIterator()); &*Next != &Reference; ++Next) {
    if (!Depends(*Next))
      continue;
    if (!canMove(*Next))
      return false;
    Moved.push_back(&*Next);
    for (const MachineOperand& Defined : Next->all_defs())
      if (Defined.getReg().isVirtual())
        Tainted.insert(Defined.getReg());
  }
  if (Depends(Reference))
    return false;
  MachineBasicBlock& Block = *Reference.getParent();
  auto Behind = std::next(Reference.getIterator());
  for (MachineInstr* Instruction : Moved)
    Block.splice(Behind, &Block, Instruction->getIterator());
  return true;
}

void Grouping::runOnBlock(MachineBasicBlock& Block) {
  clear();
  for (auto Next = Block.instr_begin(); Next != Block.instr_end(); ++Next) {
    MachineInstr& Instruction = *Next;
    std::optional<Transfer> Kind = transferOf(Instruction);
    if (!Kind || !swaps(Instruction)) {
      if (!canMove(Instruction) && !Instruction.isPHI())
        clear();
      continue;
    }
    if (!accepts(Instruction, *Kind))
      clear();
    add(Instruction, *Kind);
  }
}

}  // namespace

DenseMap<const MachineInstr*, MachineInstr*> llvm::groupMicroengineReferences(
    MachineFunction& Function) {
  return Grouping(Function).run();
}
