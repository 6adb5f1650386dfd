// Decides in which register file each value lives.
//
// Expects: SSA, after selection; two-address constraints still tied.
// Does: two-colouring with weighted edges. The two sources of one instruction want different banks,
// the two sides of a copy or PHI the same one; weights are block frequencies. An edge that stays
// violated costs a move. From here on the register classes carry the decision, and LLVM's allocator
// and machine verifier keep it.
//
//   before   %2:gpr = ADD_rr %0:gpr, %1:gpr
//   after    %2:gpra = ADD_rr %0:gpra, %1:gprb
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "compiler/backend/passes/MicroengineGroupReferences.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace {

// How many longwords may arrive in a transfer file behind a value that waits there to be used,
// before the value is moved out: 8 registers a file, less the burst that is arriving.
constexpr unsigned kLongwordsArrivingBehind = 4;

class BankAssignment : public MachineFunctionPass {
 public:
  static char ID;
  BankAssignment() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine bank assignment"; }
  void getAnalysisUsage(AnalysisUsage& Usage) const override {
    Usage.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    Usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }
  bool runOnMachineFunction(MachineFunction& Function) override;

 private:
  struct Edge {
    unsigned To;
    float Weight;  // > 0: wants a different bank, < 0: the same
  };
  struct Node {
    SmallVector<Edge, 4> Edges;
    float PullToA = 0;  // from values whose bank is fixed
    int Colour = 0;     // 1: bank A, -1: bank B
  };

  bool isFree(Register Value) const {
    return Value.isVirtual() &&
           Values->getRegClass(Value)->hasSubClassEq(&Microengine::GPRARegClass) &&
           Values->getRegClass(Value)->hasSubClassEq(&Microengine::GPRBRegClass);
  }
  bool isIn(Register Value, const TargetRegisterClass& Bank) const {
    return Value.isVirtual() ? Bank.hasSubClassEq(Values->getRegClass(Value))
                             : Bank.contains(Value);
  }
  const TargetRegisterClass* fileOf(Register Value) const;
  MachineInstr* lastUseInBlock(const MachineInstr& Definition, Register Value);
  void settleArrival(MachineInstr& Arrival);
  void holdStill(MachineInstr& Start);
  bool canWaitAcrossBlocks(const MachineInstr& Definition, Register Value,
                           const TargetRegisterClass& File) const;
  unsigned arrivingIn(MachineBasicBlock::const_instr_iterator From,
                      MachineBasicBlock::const_instr_iterator To,
                      const TargetRegisterClass& File) const;
  void placeInTransferFiles();
  void takeOutOfBurst(MachineInstr& Definition, Register Burst);
  void placeArrived(MachineInstr& Definition, Register Value);
  void placeDeparting(MachineInstr& Definition, Register Value);
  void gatherBefore(MachineInstr& Reference);
  void keepBurstsInTheirFile();
  void buildGraph();
  void link(Register First, Register Second, float Weight);
  float gain(const Node& N) const;
  void colour();
  void separateSources(MachineBasicBlock& Block);

  // Where the results of a reference may be used first: behind the last of those that it waits
  // together with.
  MachineBasicBlock::instr_iterator behind(MachineInstr& Definition) const {
    MachineInstr* Last = LastOfGroup.lookup(&Definition);
    return std::next((Last ? Last : &Definition)->getIterator());
  }

  bool MovesOut = false;
  bool WaitsAcrossBlocks = false;
  DenseMap<const MachineInstr*, MachineInstr*> LastOfGroup;
  MachineFunction* Function = nullptr;
  MachineRegisterInfo* Values = nullptr;
  const MicroengineInstrInfo* Instructions = nullptr;
  const TargetRegisterInfo* Registers = nullptr;
  const MachineBlockFrequencyInfo* Frequencies = nullptr;
  std::vector<Node> Nodes;
};

char BankAssignment::ID;

// The single-register class of the transfer file that the value lives in, or null.
const TargetRegisterClass* BankAssignment::fileOf(Register Value) const {
  if (!Value.isVirtual())
    return nullptr;
  const TargetRegisterClass* Class = Values->getRegClass(Value);
  if (Class->hasSuperClassEq(&Microengine::GPRRegClass))
    return nullptr;
  MCRegister First = *Class->begin();
  if (MCRegister Word = Registers->getSubReg(First, Microengine::word0))
    First = Word;
  for (const TargetRegisterClass* File :
       {&Microengine::SRAMReadRegClass, &Microengine::SRAMWriteRegClass,
        &Microengine::SDRAMReadRegClass, &Microengine::SDRAMWriteRegClass})
    if (Class->getNumRegs() <= 8 && File->contains(First))
      return File;
  return nullptr;
}

MachineInstr* BankAssignment::lastUseInBlock(const MachineInstr& Definition, Register Value) {
  MachineInstr* Last = nullptr;
  SmallPtrSet<MachineInstr*, 8> Uses;
  for (MachineInstr& Use : Values->use_nodbg_instructions(Value)) {
    if (Use.getParent() != Definition.getParent() || Use.isPHI())
      return nullptr;
    Uses.insert(&Use);
  }
  for (auto Next = std::next(Definition.getIterator());
       Next != Definition.getParent()->instr_end() && !Uses.empty(); ++Next)
    if (Uses.erase(const_cast<MachineInstr*>(&*Next)))
      Last = const_cast<MachineInstr*>(&*Next);
  return Uses.empty() ? Last : nullptr;
}

// Longwords; those that nobody uses hold no register (the published pipeline counts them).
unsigned BankAssignment::arrivingIn(MachineBasicBlock::const_instr_iterator From,
                                    MachineBasicBlock::const_instr_iterator To,
                                    const TargetRegisterClass& File) const {
  unsigned Longwords = 0;
  for (auto Next = From; Next != To; ++Next) {
    if (Next->isCopy() || Next->getOpcode() == TargetOpcode::ARITH_FENCE)
      continue;
    for (const MachineOperand& Defined : Next->all_defs())
      if (WaitsAcrossBlocks && Defined.getReg().isVirtual() &&
          Values->use_nodbg_empty(Defined.getReg()))
        continue;
      else if (fileOf(Defined.getReg()) == &File)
        Longwords += Registers->getRegSizeInBits(*Values->getRegClass(Defined.getReg())) / 32;
      else if (Defined.getReg().isPhysical() && File.contains(Defined.getReg()))
        ++Longwords;
  }
  return Longwords;
}

// Uses in other blocks, a PHI's at the end of the block it comes from: the value may stay where it
// arrived if nothing arrives in its file behind it in all the blocks through which it lives, and it
// does not live around a loop.
bool BankAssignment::canWaitAcrossBlocks(const MachineInstr& Definition, Register Value,
                                         const TargetRegisterClass& File) const {
  constexpr unsigned kMostBlocks = 8;
  const MachineBasicBlock* Home = Definition.getParent();
  SmallPtrSet<const MachineBasicBlock*, 8> Through;
  SmallVector<const MachineBasicBlock*, 8> Ahead;
  for (MachineOperand& Use : Values->use_nodbg_operands(Value)) {
    const MachineInstr& User = *Use.getParent();
    const MachineBasicBlock* Block =
        User.isPHI() ? User.getOperand(Use.getOperandNo() + 1).getMBB() : User.getParent();
    if (Block != Home)
      Ahead.push_back(Block);
  }
  unsigned Longwords = arrivingIn(std::next(Definition.getIterator()), Home->instr_end(), File);
  while (!Ahead.empty()) {
    const MachineBasicBlock* Block = Ahead.pop_back_val();
    if (!Through.insert(Block).second)
      continue;
    if (Through.size() > kMostBlocks)
      return false;
    Longwords += arrivingIn(Block->instr_begin(), Block->instr_end(), File);
    for (const MachineBasicBlock* Before : Block->predecessors())
      if (Before != Home)
        Ahead.push_back(Before);
  }
  return !Through.contains(Home) && Longwords == 0;
}

// Selection may leave the copies that take longwords out of a burst behind later references; they
// belong to its arrival, so that the burst does not live on.
void BankAssignment::takeOutOfBurst(MachineInstr& Definition, Register Burst) {
  const TargetRegisterClass* File = fileOf(Burst);
  if (Microengine::transferOf(Definition) && Microengine::onlySignals(Definition))
    return;
  bool IsExchange = Definition.getOpcode() == Microengine::EXCHANGE_1 ||
                    Definition.getOpcode() == Microengine::EXCHANGE_2;
  if (!IsExchange && (!File || !Microengine::isFileRead(*File)))
    return;
  SmallVector<MachineInstr*, 8> Copies;
  for (MachineInstr& Use : Values->use_nodbg_instructions(Burst))
    if (Use.isCopy() && Use.getOperand(1).getSubReg())
      Copies.push_back(&Use);
  for (MachineInstr* Copy : Copies)
    Definition.getParent()->splice(behind(Definition), Copy->getParent(), Copy->getIterator());
  Values->clearKillFlags(Burst);
}

// A longword that arrived is read where it arrived, or moved out at once when its last use is far
// away.
void BankAssignment::placeArrived(MachineInstr& Definition, Register Value) {
  if (Microengine::transferOf(Definition) && Microengine::onlySignals(Definition))
    return;  // not here yet
  Register Source = Definition.isCopy() ? Definition.getOperand(1).getReg() : Value;
  const TargetRegisterClass* File = fileOf(Source);
  if (!File || !Microengine::isFileRead(*File))
    return;
  MachineInstr* Last = MovesOut ? nullptr : lastUseInBlock(Definition, Value);
  bool CanWait = Last && arrivingIn(std::next(Definition.getIterator()), Last->getIterator(),
                                    *File) <= kLongwordsArrivingBehind;
  if (!Last && !MovesOut && WaitsAcrossBlocks)
    CanWait = canWaitAcrossBlocks(Definition, Value, *File);
  if (Definition.isCopy()) {
    bool OnlySources = all_of(Values->use_nodbg_operands(Value), [&](MachineOperand& Use) {
      const MachineInstr& User = *Use.getParent();
      if (User.isPHI())
        return WaitsAcrossBlocks;
      if (User.isCopy() || User.isRegSequence())
        return false;
      const TargetRegisterClass* Needed =
          User.getRegClassConstraint(Use.getOperandNo(), Instructions, Registers);
      return Needed && Needed->hasSubClassEq(File) && !Use.isTied();
    });
    if (CanWait && OnlySources && Value.isVirtual() && isFree(Value))
      Values->setRegClass(Value, File);
    return;
  }
  if (CanWait || Registers->getRegSizeInBits(*Values->getRegClass(Value)) != 32 ||
      Values->use_nodbg_empty(Value))
    return;
  Register Moved = Values->createVirtualRegister(&Microengine::GPRRegClass);
  Values->replaceRegWith(Value, Moved);
  for (MachineOperand& Defined : Definition.all_defs())
    if (Defined.getReg() == Moved)
      Defined.setReg(Value);
  BuildMI(*Definition.getParent(), behind(Definition), Definition.getDebugLoc(),
          Instructions->get(TargetOpcode::COPY), Moved)
      .addReg(Value);
}

// A value that only feeds a write transfer register is computed straight into it.
void BankAssignment::placeDeparting(MachineInstr& Definition, Register Value) {
  if (MovesOut || !isFree(Value) || !Values->hasOneNonDBGUse(Value) || Definition.isCopy() ||
      Definition.isPHI())
    return;
  MachineInstr& Use = *Values->use_instr_nodbg_begin(Value);
  if (Use.getParent() != Definition.getParent() || !(Use.isCopy() || Use.isRegSequence()))
    return;
  const TargetRegisterClass* File = fileOf(Use.getOperand(0).getReg());
  if (!File || !Microengine::isFileWrite(*File))
    return;
  const TargetRegisterClass* Produced =
      Instructions->getRegClass(Definition.getDesc(), 0, Registers, *Function);
  if (!Produced || !Produced->hasSubClassEq(File))
    return;
  for (auto Next = std::next(Definition.getIterator()); &*Next != &Use;
       ++Next)  // another reference needs the file
    if (Microengine::isReference(Next->getDesc()) || Next->getOpcode() == Microengine::FRAME_WRITE)
      return;
  Values->setRegClass(Value, File);
}

// What is sent goes into its write registers right in front of the reference, each time anew.
void BankAssignment::gatherBefore(MachineInstr& Reference) {
  for (MachineOperand& Sent : Reference.explicit_uses()) {
    if (!Sent.isReg() || !fileOf(Sent.getReg()) ||
        !Microengine::isFileWrite(*fileOf(Sent.getReg())))
      continue;
    MachineInstr& Gathered = *Values->getVRegDef(Sent.getReg());
    if (!Gathered.isRegSequence() && !Gathered.isCopy())
      continue;
    Register Fresh = Values->createVirtualRegister(Values->getRegClass(Sent.getReg()));
    MachineInstr* Again = Function->CloneMachineInstr(&Gathered);
    Again->getOperand(0).setReg(Fresh);
    Reference.getParent()->insert(Reference.getIterator(), Again);
    Sent.setReg(Fresh);
    if (Values->use_nodbg_empty(Gathered.getOperand(0).getReg()))
      Gathered.eraseFromParent();
  }
}

// What arrives behind a wait is the very registers of the reference that started it, not the copies
// through which selection hands values from block to block.
void BankAssignment::settleArrival(MachineInstr& Arrival) {
  Register Source = Arrival.getOperand(1).getReg();
  SmallVector<MachineInstr*, 4> Copies;
  for (MachineInstr* Copy = Values->getVRegDef(Source);
       Copy && Copy->isCopy() && !Copy->getOperand(1).getSubReg() &&
       Copy->getOperand(1).getReg().isVirtual();
       Copy = Values->getVRegDef(Source)) {
    Copies.push_back(Copy);
    Source = Copy->getOperand(1).getReg();
  }
  if (!fileOf(Source))
    return;  // refused behind allocation
  Arrival.getOperand(1).setReg(Source);
  for (MachineInstr* Copy : Copies)
    if (Values->use_nodbg_empty(Copy->getOperand(0).getReg()))
      Copy->eraseFromParent();
  const TargetRegisterClass* Class = Values->getRegClass(Source);
  Register Given = Arrival.getOperand(0).getReg();
  if (Registers->getRegSizeInBits(*Class) != 32)
    return Values->setRegClass(Given, Class);
  Register Arrived = Values->createVirtualRegister(Class);
  Arrival.getOperand(0).setReg(Arrived);
  BuildMI(*Arrival.getParent(), std::next(Arrival.getIterator()), Arrival.getDebugLoc(),
          Instructions->get(TargetOpcode::COPY), Given)
      .addReg(Arrived);
}

// The registers of a reference that is under way are in use until each wait for it.
void BankAssignment::holdStill(MachineInstr& Start) {
  unsigned Event = Microengine::eventOf(Start);
  Microengine::visitUntilWait(Start, [&](MachineInstr& Next) {
    if (Next.getOpcode() == Microengine::CTX_ARB && Next.getOperand(0).getImm() & Event)
      Next.addOperand(*Function,
                      MachineOperand::CreateReg(Start.getOperand(0).getReg(), /*isDef=*/false,
                                                /*isImp=*/true));
    return true;
  });
}

void BankAssignment::placeInTransferFiles() {
  if (MovesOut)
    for (MachineBasicBlock& Block : *Function)
      for (MachineInstr& Instruction : Block.instrs())
        if (!Instruction.isCopy() && !Instruction.isPHI() && !Instruction.isRegSequence())
          gatherBefore(Instruction);
  for (MachineBasicBlock& Block : *Function)
    for (MachineInstr& Instruction : make_early_inc_range(Block))
      if (!Instruction.isCopy() && !Instruction.isPHI())
        for (const MachineOperand& Defined : Instruction.all_defs())
          if (Defined.getReg().isVirtual())
            takeOutOfBurst(Instruction, Defined.getReg());
  for (MachineBasicBlock& Block : *Function)
    for (MachineInstr& Instruction : make_early_inc_range(Block))
      for (const MachineOperand& Defined : Instruction.all_defs()) {
        Register Value = Defined.getReg();
        if (!Value.isVirtual() || Defined.getSubReg())
          continue;
        placeArrived(Instruction, Value);
        if (Defined.getOperandNo() == 0)
          placeDeparting(Instruction, Value);
      }
}

void BankAssignment::link(Register First, Register Second, float Weight) {
  if (First == Second)
    return;
  if (!isFree(First))
    std::swap(First, Second);
  if (!isFree(First))
    return;
  Node& From = Nodes[Register::virtReg2Index(First)];
  if (isFree(Second)) {
    From.Edges.push_back({Register::virtReg2Index(Second), Weight});
    Nodes[Register::virtReg2Index(Second)].Edges.push_back(
        {Register::virtReg2Index(First), Weight});
  } else if (isIn(Second, Microengine::GPRARegClass)) {
    From.PullToA -= Weight;
  } else if (isIn(Second, Microengine::GPRBRegClass)) {
    From.PullToA += Weight;
  }
}

// Selection has one class for vectors, of the SRAM file: a burst that it carries from SDRAM into
// another block or by two names looks copied from one file of read registers to the other, which no
// instruction does.
void BankAssignment::keepBurstsInTheirFile() {
  for (MachineBasicBlock& Block : *Function)
    for (MachineInstr& Copy : make_early_inc_range(Block)) {
      if (!Copy.isCopy() || Copy.getOperand(0).getSubReg() || Copy.getOperand(1).getSubReg())
        continue;
      Register To = Copy.getOperand(0).getReg(), From = Copy.getOperand(1).getReg();
      const TargetRegisterClass *ToFile = fileOf(To), *FromFile = fileOf(From);
      if (!ToFile || !FromFile || ToFile == FromFile)
        continue;
      if (!Microengine::isFileRead(*ToFile) || !Microengine::isFileRead(*FromFile))
        continue;
      Copy.eraseFromParent();
      Values->replaceRegWith(To, From);
    }
}

void BankAssignment::buildGraph() {
  Nodes.assign(Values->getNumVirtRegs(), {});
  for (MachineBasicBlock& Block : *Function) {
    float Frequency = Frequencies->getBlockFreqRelativeToEntryBlock(&Block);
    for (MachineInstr& Instruction : Block) {
      if (Instruction.isPHI()) {
        for (unsigned Operand = 1; Operand < Instruction.getNumOperands(); Operand += 2) {
          float Incoming = Frequencies->getBlockFreqRelativeToEntryBlock(
              Instruction.getOperand(Operand + 1).getMBB());
          link(Instruction.getOperand(0).getReg(), Instruction.getOperand(Operand).getReg(),
               -Incoming);
        }
        continue;
      }
      if (Instruction.isCopy())
        link(Instruction.getOperand(0).getReg(), Instruction.getOperand(1).getReg(), -Frequency);
      for (auto [First, Second] : Instructions->portPairs(Instruction))
        link(Instruction.getOperand(First).getReg(), Instruction.getOperand(Second).getReg(),
             Frequency);
      for (unsigned Operand = 0; Operand != Instruction.getNumExplicitDefs(); ++Operand)
        if (unsigned Tied; Instruction.isRegTiedToUseOperand(Operand, &Tied))
          link(Instruction.getOperand(Operand).getReg(), Instruction.getOperand(Tied).getReg(),
               -Frequency);
    }
  }
}

// How much is won by bank A over bank B.
float BankAssignment::gain(const Node& N) const {
  float Pull = N.PullToA;
  for (const Edge& E : N.Edges)
    Pull -= E.Weight * Nodes[E.To].Colour;
  return Pull;
}

// Greedy, heaviest first, then single flips until none helps. Values without a preference even the
// banks out.
void BankAssignment::colour() {
  std::vector<float> Weights(Nodes.size(), 0);
  std::vector<unsigned> Order;
  for (unsigned Index = 0; Index != Nodes.size(); ++Index) {
    Register Value = Register::index2VirtReg(Index);
    if (!isFree(Value) || Values->reg_nodbg_empty(Value))
      continue;
    Order.push_back(Index);
    Weights[Index] = std::abs(Nodes[Index].PullToA);
    for (const Edge& E : Nodes[Index].Edges)
      Weights[Index] += std::abs(E.Weight);
  }
  stable_sort(Order, [&](unsigned A, unsigned B) { return Weights[A] > Weights[B]; });
  int Balance = 0;
  for (unsigned Index : Order) {
    float Pull = gain(Nodes[Index]);
    Nodes[Index].Colour = Pull > 0 ? 1 : Pull < 0 ? -1 : Balance > 0 ? -1 : 1;
    Balance += Nodes[Index].Colour;
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned Index : Order)
      if (gain(Nodes[Index]) * Nodes[Index].Colour < -1e-6f * (1 + Weights[Index])) {
        Nodes[Index].Colour = -Nodes[Index].Colour;
        Changed = true;
      }
  }
  for (unsigned Index : Order)
    Values->setRegClass(Register::index2VirtReg(Index), Nodes[Index].Colour > 0
                                                            ? &Microengine::GPRARegClass
                                                            : &Microengine::GPRBRegClass);
}

// Where both sources still share a bank, one is moved across; a second use in the block finds the
// copy.
void BankAssignment::separateSources(MachineBasicBlock& Block) {
  DenseMap<Register, Register> CopyOf;
  for (MachineInstr& Instruction : Block)
    for (auto [First, Second] : Instructions->portPairs(Instruction)) {
      MachineOperand* Moved = &Instruction.getOperand(Second);
      Register Other = Instruction.getOperand(First).getReg();
      bool BothA = isIn(Other, Microengine::GPRARegClass) &&
                   isIn(Moved->getReg(), Microengine::GPRARegClass);
      bool BothB = isIn(Other, Microengine::GPRBRegClass) &&
                   isIn(Moved->getReg(), Microengine::GPRBRegClass);
      if (!BothA && !BothB)
        continue;
      if (Moved->isTied() || CopyOf.contains(Other))
        Moved = &Instruction.getOperand(First);
      if (Moved->isTied())
        Moved = &Instruction.getOperand(Second);
      Register& Copy = CopyOf[Moved->getReg()];
      if (!Copy) {
        Copy = Values->createVirtualRegister(BothA ? &Microengine::GPRBRegClass
                                                   : &Microengine::GPRARegClass);
        BuildMI(Block, Instruction, Instruction.getDebugLoc(),
                Instructions->get(TargetOpcode::COPY), Copy)
            .addReg(Moved->getReg(), 0, Moved->getSubReg());
      }
      Moved->setReg(Copy);
      Moved->setSubReg(0);
      Moved->setIsKill(false);
    }
}

bool BankAssignment::runOnMachineFunction(MachineFunction& F) {
  Function = &F;
  const MicroengineOptions& Options = engineOptionsOf(F);
  MovesOut = Options.TransferUse == MicroengineTransferUse::kMovedOut;
  Values = &F.getRegInfo();
  Instructions = F.getSubtarget<MicroengineSubtarget>().getInstrInfo();
  Registers = F.getSubtarget().getRegisterInfo();
  Frequencies = &getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI();
  for (unsigned Index = 0; Index != Values->getNumVirtRegs(); ++Index)
    Values->clearKillFlags(Register::index2VirtReg(Index));
  keepBurstsInTheirFile();
  LastOfGroup.clear();
  WaitsAcrossBlocks = Options.FillSlots && Options.TransferUse != MicroengineTransferUse::kModest;
  for (MachineBasicBlock& Block : F)
    for (MachineInstr& Instruction : make_early_inc_range(Block))
      if (Instruction.getOpcode() == TargetOpcode::ARITH_FENCE)
        settleArrival(Instruction);
  if (WaitsAcrossBlocks && !MovesOut)
    LastOfGroup = groupMicroengineReferences(F);
  placeInTransferFiles();
  for (MachineBasicBlock& Block : F)
    for (MachineInstr& Instruction : Block)
      if (Microengine::transferOf(Instruction) && Microengine::onlySignals(Instruction))
        holdStill(Instruction);
  buildGraph();
  colour();
  for (MachineBasicBlock& Block : F)
    separateSources(Block);
  return true;
}

}  // namespace

FunctionPass* llvm::createMicroengineBankAssignment() {
  return new BankAssignment;
}
