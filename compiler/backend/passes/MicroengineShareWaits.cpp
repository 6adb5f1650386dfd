// One wait serves several references.
//
// Expects: allocated registers, pseudo instructions expanded; MicroengineGroupReferences has
// brought such references together. Does: a reference waits (`ctx_swap`) although others follow
// before anything needs its result. If a later one goes to the same unit, its wait serves both, and
// the earlier costs one cycle instead of two and a latency. If they go to different units, all
// signal their events and one `ctx_arb` waits for all, so that their latencies overlap. After
// allocation, registers say what is needed.
//
//   before   sram[read, $0, a0, 0, 1], ctx_swap    sram[read, $1, a1, 0, 1], ctx_swap
//   after    sram[read, $0, a0, 0, 1]              sram[read, $1, a1, 0, 1], ctx_swap
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "compiler/backend/passes/MicroengineRemarks.h"
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
  bool runOnMachineFunction(MachineFunction& Function) override;

 private:
  struct Issued {
    MachineInstr* Last;  // to its unit: its event says that those before are done
    Transfer Kind;
  };
  void runOnBlock(MachineBasicBlock& Block);
  void close();
  void add(MachineInstr& Reference, Transfer Kind);
  bool joins(const MachineInstr& Reference, Transfer Kind) const;
  bool disturbs(const MachineInstr& Instruction) const;
  bool arrivesIn(Register Touched) const { return overlaps(Arriving, Touched); }
  bool overlaps(ArrayRef<MCRegister> Set, Register Touched) const {
    return any_of(Set,
                  [&](MCRegister Waiting) { return Registers->regsOverlap(Waiting, Touched); });
  }
  const Issued* sameUnit(Transfer Kind) const {
    const Issued* Found =
        find_if(UnderWay, [&](const Issued& Other) { return Other.Kind.Unit == Kind.Unit; });
    return Found == UnderWay.end() ? nullptr : Found;
  }
  void hold(MachineInstr& Wait);

  const MicroengineInstrInfo* Instructions = nullptr;
  const TargetRegisterInfo* Registers = nullptr;
  bool SeveralUnits = false;
  // What is under way together, by unit, in the order of the last of each.
  SmallVector<Issued, 3> UnderWay;
  SmallVector<MachineInstr*, 8> References;
  SmallVector<MCRegister, 8> Arriving;  // single registers
  SmallVector<MCRegister, 8> Departing;
  bool Changed = false;
};

char ShareWaits::ID;

// What stands between: it may not read what arrives, nor change what arrives or departs.
bool ShareWaits::disturbs(const MachineInstr& Instruction) const {
  return any_of(Instruction.operands(), [&](const MachineOperand& Operand) {
    if (!Operand.isReg() || !Operand.getReg().isPhysical())
      return false;
    return arrivesIn(Operand.getReg()) ||
           (Operand.isDef() && overlaps(Departing, Operand.getReg()));
  });
}

// The reference may overwrite what its own unit brings without being used: its own data comes
// later. Units are not in order with each other.
bool ShareWaits::joins(const MachineInstr& Reference, Transfer Kind) const {
  if (UnderWay.empty())
    return false;
  const Issued* Before = sameUnit(Kind);
  bool IsOnlyUnit = Before && UnderWay.size() == 1;
  bool AreOrdinary =
      all_of(References, [](const MachineInstr* Other) { return isOrdinary(*Other); });
  if (!IsOnlyUnit && !(SeveralUnits && AreOrdinary && isOrdinary(Reference)))
    return false;
  if (Before && !covers(Kind, Before->Kind))
    return false;
  return none_of(Reference.operands(), [&](const MachineOperand& Operand) {
    if (!Operand.isReg() || Operand.isImplicit())
      return false;
    return arrivesIn(Operand.getReg()) && !(Operand.isDef() && IsOnlyUnit);
  });
}

void ShareWaits::add(MachineInstr& Reference, Transfer Kind) {
  erase_if(UnderWay, [&](const Issued& Other) { return Other.Kind.Unit == Kind.Unit; });
  UnderWay.push_back({&Reference, Kind});
  References.push_back(&Reference);
  const MachineOperand& Data = Reference.getOperand(0);
  auto& Set = Kind.Reads ? Arriving : Departing;
  bool IsTuple = Registers->getSubReg(Data.getReg(), word0) != MCRegister();
  for (unsigned Word = 0; IsTuple && Word != 8; ++Word)
    if (MCRegister Single = Registers->getSubReg(Data.getReg(), word0 + Word))
      Set.push_back(Single);
  if (!IsTuple)
    Set.push_back(Data.getReg());
}

// `Wait` now ends what all of them move; who looks at it alone must know.
void ShareWaits::hold(MachineInstr& Wait) {
  MachineInstrBuilder Builder(*Wait.getMF(), &Wait);
  for (MCRegister Single : Arriving)
    if (!Wait.definesRegister(Single, Registers))
      Builder.addReg(Single, RegState::ImplicitDefine);
  for (MCRegister Single : Departing) {
    for (auto Next = References.front()->getIterator(); &*Next != &Wait; ++Next)
      Next->clearRegisterKills(Single, Registers);
    if (!Wait.readsRegister(Single, Registers))
      Builder.addReg(Single, RegState::Implicit);
  }
}

void ShareWaits::close() {
  if (References.size() > 1) {
    MachineInstr* Last = References.back();
    for (MachineInstr* Reference : References) {
      bool IsLastOfUnit =
          any_of(UnderWay, [&](const Issued& Other) { return Other.Last == Reference; });
      int64_t Tokens = tokensOf(*Reference).getImm() & ~int64_t{kContextSwapToken};
      if (IsLastOfUnit)
        Tokens |= UnderWay.size() == 1 ? kContextSwapToken : kSignalToken;
      tokensOf(*Reference).setImm(Tokens);
      if (Reference == Last)
        continue;
      remark(*Reference, kShareWaitsName, "Shared",
             IsLastOfUnit
                 ? "overlaps with the reference of " + lineOf(*Last) + ": one wait for all of them"
                 : "does not wait: a later reference to its unit does, up to " + lineOf(*Last));
    }
    if (UnderWay.size() > 1) {
      unsigned Events = 0;
      for (const Issued& Unit : UnderWay)
        Events |= eventOf(*Unit.Last);
      auto Behind = std::next(Last->getIterator());
      Last = BuildMI(*Last->getParent(), Behind, Last->getDebugLoc(), Instructions->get(CTX_ARB))
                 .addImm(Events)
                 .addImm(0);
    }
    hold(*Last);
    Changed = true;
  }
  UnderWay.clear();
  References.clear();
  Arriving.clear();
  Departing.clear();
}

void ShareWaits::runOnBlock(MachineBasicBlock& Block) {
  for (MachineInstr& Instruction : make_early_inc_range(Block)) {
    if (Instruction.isDebugInstr())
      continue;
    std::optional<Transfer> Kind = transferOf(Instruction);
    if (Kind && swaps(Instruction)) {
      if (!joins(Instruction, *Kind))
        close();
      add(Instruction, *Kind);
      continue;
    }
    bool Ends = isReference(Instruction.getDesc()) || Instruction.isTerminator() ||
                Instruction.isCall() || Instruction.isInlineAsm() ||
                Instruction.getOpcode() == CTX_ARB || touchesShared(Instruction);
    if (Ends || disturbs(Instruction))
      close();
  }
  close();
}

bool ShareWaits::runOnMachineFunction(MachineFunction& Function) {
  Instructions = Function.getSubtarget<MicroengineSubtarget>().getInstrInfo();
  Registers = Function.getSubtarget().getRegisterInfo();
  SeveralUnits = waitsForSeveralUnits(Function);
  Changed = false;
  for (MachineBasicBlock& Block : Function)
    runOnBlock(Block);
  return Changed;
}

}  // namespace

FunctionPass* llvm::createMicroengineShareWaits() {
  return new ShareWaits;
}
