// A reference waits (`ctx_swap`) although another to the same unit follows before anything needs its result: then the
// later one's wait serves both, and the earlier costs one cycle instead of two and a latency. Here, behind allocation,
// registers say what is needed; MicroengineGroupReferences has brought such references together.
#include "compiler/target/Microengine.h"
#include "compiler/target/MicroengineSubtarget.h"
#include "compiler/target/MicroengineTransfers.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

class ShareWaits : public MachineFunctionPass {
public:
  static char ID;
  ShareWaits() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine shared waits"; }
  bool runOnMachineFunction(MachineFunction &Function) override;

private:
  // References that the last one's wait serves, with the last.
  struct Group {
    MachineInstr *First = nullptr;
    MachineInstr *Last = nullptr;
    Transfer Kind{};
    SmallVector<MCRegister, 8> Arriving;  // single registers
    SmallVector<MCRegister, 8> Departing;
  };
  void runOnBlock(MachineBasicBlock &Block);
  void close();
  void add(MachineInstr &Reference, Transfer Kind);
  bool joins(const MachineInstr &Reference, Transfer Kind) const;
  bool disturbs(const MachineInstr &Instruction) const;

  const MicroengineInstrInfo *Instructions = nullptr;
  const TargetRegisterInfo *Registers = nullptr;
  Group Open;
  unsigned Members = 0;
  bool Changed = false;
};

char ShareWaits::ID;

// What stands between: it may not read what arrives, nor change what arrives or departs.
bool ShareWaits::disturbs(const MachineInstr &Instruction) const {
  auto Overlaps = [&](ArrayRef<MCRegister> Set, Register Touched) {
    return any_of(Set, [&](MCRegister Waiting) { return Registers->regsOverlap(Waiting, Touched); });
  };
  return any_of(Instruction.operands(), [&](const MachineOperand &Operand) {
    if (!Operand.isReg() || !Operand.getReg().isPhysical()) return false;
    return Overlaps(Open.Arriving, Operand.getReg()) || (Operand.isDef() && Overlaps(Open.Departing, Operand.getReg()));
  });
}

// The reference may overwrite what arrives without being used: its own data comes later.
bool ShareWaits::joins(const MachineInstr &Reference, Transfer Kind) const {
  if (!Open.Last || !covers(Kind, Open.Kind)) return false;
  return none_of(Reference.explicit_uses(), [&](const MachineOperand &Operand) {
    return Operand.isReg() && any_of(Open.Arriving, [&](MCRegister Waiting) {
             return Registers->regsOverlap(Waiting, Operand.getReg());
           });
  });
}

void ShareWaits::add(MachineInstr &Reference, Transfer Kind) {
  if (!Open.First) Open.First = &Reference;
  Open.Last = &Reference;
  Open.Kind = Kind;
  const MachineOperand &Data = Reference.getOperand(0);
  auto &Set = Kind.Reads ? Open.Arriving : Open.Departing;
  bool IsTuple = Registers->getSubReg(Data.getReg(), word0) != MCRegister();
  for (unsigned Word = 0; IsTuple && Word != 8; ++Word)
    if (MCRegister Single = Registers->getSubReg(Data.getReg(), word0 + Word)) Set.push_back(Single);
  if (!IsTuple) Set.push_back(Data.getReg());
  ++Members;
}

// The last reference's wait now ends what the others move; who looks at the last alone must know.
void ShareWaits::close() {
  if (Members > 1) {
    MachineInstrBuilder Last(*Open.Last->getMF(), Open.Last);
    for (MCRegister Single : Open.Arriving)
      if (!Registers->regsOverlap(Single, Open.Last->getOperand(0).getReg()))
        Last.addReg(Single, RegState::ImplicitDefine);
    for (MCRegister Single : Open.Departing) {
      for (auto Next = Open.First->getIterator(); &*Next != Open.Last; ++Next) Next->clearRegisterKills(Single, Registers);
      if (!Open.Last->readsRegister(Single, Registers)) Last.addReg(Single, RegState::Implicit);
    }
  }
  Open = {};
  Members = 0;
}

void ShareWaits::runOnBlock(MachineBasicBlock &Block) {
  for (MachineInstr &Instruction : Block) {
    if (Instruction.isDebugInstr()) continue;
    std::optional<Transfer> Kind = transferOf(Instruction, *Instructions);
    if (Kind && swaps(Instruction)) {
      if (joins(Instruction, *Kind)) {
        tokensOf(*Open.Last).setImm(tokensOf(*Open.Last).getImm() & ~int64_t{kContextSwapToken});
        Changed = true;
      } else {
        close();
      }
      add(Instruction, *Kind);
      continue;
    }
    bool Ends = isReference(Instruction.getDesc()) || Instruction.isTerminator() || Instruction.isCall() ||
                Instruction.isInlineAsm() || Instruction.getOpcode() == CTX_ARB;
    if (Open.Last && (Ends || disturbs(Instruction))) close();
  }
  close();
}

bool ShareWaits::runOnMachineFunction(MachineFunction &Function) {
  Instructions = Function.getSubtarget<MicroengineSubtarget>().getInstrInfo();
  Registers = Function.getSubtarget().getRegisterInfo();
  Changed = false;
  for (MachineBasicBlock &Block : Function) runOnBlock(Block);
  return Changed;
}

}  // namespace

FunctionPass *llvm::createMicroengineShareWaits() { return new ShareWaits; }
