#include "compiler/target/MicroengineGroupReferences.h"

#include "compiler/target/MicroengineSubtarget.h"
#include "compiler/target/MicroengineTransfers.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

// Longwords of a group that may be in transfer registers at a time, of 8 in a file; the rest is for others.
constexpr unsigned kMostLongwords = 6;

class Grouping {
public:
  explicit Grouping(MachineFunction &Function)
      : Function(Function), Values(Function.getRegInfo()),
        Instructions(*Function.getSubtarget<MicroengineSubtarget>().getInstrInfo()),
        Registers(*Function.getSubtarget().getRegisterInfo()) {}

  DenseMap<const MachineInstr *, MachineInstr *> run() {
    for (MachineBasicBlock &Block : Function) runOnBlock(Block);
    return std::move(LastOf);
  }

private:
  void runOnBlock(MachineBasicBlock &Block);
  bool bringUp(MachineInstr &Reference);
  void open(MachineInstr &Reference, Transfer Kind);
  unsigned longwordsOf(const MachineInstr &Reference, Transfer Kind) const;
  bool canMove(const MachineInstr &Instruction) const;

  MachineFunction &Function;
  MachineRegisterInfo &Values;
  const MicroengineInstrInfo &Instructions;
  const TargetRegisterInfo &Registers;
  SmallVector<MachineInstr *, 8> Members;
  Transfer KindOfLast{};
  unsigned Longwords = 0;
  DenseMap<const MachineInstr *, MachineInstr *> LastOf;
};

// What arrives and is not used holds no register.
unsigned Grouping::longwordsOf(const MachineInstr &Reference, Transfer Kind) const {
  Register Data = Reference.getOperand(0).getReg();
  if (!Data.isVirtual() || (Kind.Reads && Values.use_nodbg_empty(Data))) return 0;
  return Registers.getRegSizeInBits(*Values.getRegClass(Data)) / 32;
}

bool Grouping::canMove(const MachineInstr &Instruction) const {
  if (Instruction.isCopy() || Instruction.isRegSequence()) return true;
  return !Instruction.isPHI() && !Instruction.isPosition() && !Instruction.isTerminator() && !Instruction.mayLoadOrStore() &&
         !Instruction.hasUnmodeledSideEffects() && !Instruction.isInlineAsm() && !isReference(Instruction.getDesc());
}

void Grouping::open(MachineInstr &Reference, Transfer Kind) {
  Members = {&Reference};
  KindOfLast = Kind;
  Longwords = longwordsOf(Reference, Kind);
}

// Moves what depends on the group's results from between its last member and the reference behind the reference. False,
// with nothing moved, if the reference itself depends on them.
bool Grouping::bringUp(MachineInstr &Reference) {
  SmallSet<Register, 16> Tainted;
  for (MachineInstr *Member : Members)
    for (const MachineOperand &Defined : Member->all_defs()) Tainted.insert(Defined.getReg());
  auto Depends = [&](const MachineInstr &Instruction) {
    return any_of(Instruction.all_uses(), [&](const MachineOperand &Used) { return Tainted.contains(Used.getReg()); });
  };
  SmallVector<MachineInstr *, 16> Moved;
  for (auto Next = std::next(Members.back()->getIterator()); &*Next != &Reference; ++Next) {
    if (!Depends(*Next)) continue;
    if (!canMove(*Next)) return false;
    Moved.push_back(&*Next);
    for (const MachineOperand &Defined : Next->all_defs())
      if (Defined.getReg().isVirtual()) Tainted.insert(Defined.getReg());
  }
  if (Depends(Reference)) return false;
  MachineBasicBlock &Block = *Reference.getParent();
  auto Behind = std::next(Reference.getIterator());
  for (MachineInstr *Instruction : Moved) Block.splice(Behind, &Block, Instruction->getIterator());
  return true;
}

void Grouping::runOnBlock(MachineBasicBlock &Block) {
  Members.clear();
  for (auto Next = Block.instr_begin(); Next != Block.instr_end(); ++Next) {
    MachineInstr &Instruction = *Next;
    std::optional<Transfer> Kind = transferOf(Instruction, Instructions);
    if (!Kind || !swaps(Instruction)) {
      if (!canMove(Instruction) && !Instruction.isPHI()) Members.clear();
      continue;
    }
    unsigned More = longwordsOf(Instruction, *Kind);
    if (Members.empty() || !covers(*Kind, KindOfLast) || Longwords + More > kMostLongwords || !bringUp(Instruction)) {
      open(Instruction, *Kind);
      continue;
    }
    for (MachineInstr *Member : Members) {
      LastOf[Member] = &Instruction;
      Register Data = Member->getOperand(0).getReg();
      if (Member->mayStore() && !Member->mayLoad() && Data.isVirtual())  // it must hold still until the last is done
        Instruction.addOperand(Function, MachineOperand::CreateReg(Data, /*isDef=*/false, /*isImp=*/true));
    }
    Members.push_back(&Instruction);
    KindOfLast = *Kind;
    Longwords += More;
  }
}

}  // namespace

DenseMap<const MachineInstr *, MachineInstr *> llvm::groupMicroengineReferences(MachineFunction &Function) {
  return Grouping(Function).run();
}
