// Decides in which register file each value lives.
//
// Expects: SSA, after selection; two-address constraints still tied.
// Does: first transfer registers, by placeMicroengineTransfers; then the banks of the others, by
// two-colouring with weighted edges. The two sources of one instruction want different banks,
// the two sides of a copy or PHI the same one; weights are block frequencies. An edge that stays
// violated costs a move. From here on the register classes carry the decision, and LLVM's allocator
// and machine verifier keep it.
//
//   before   %2:gpr = ADD_rr %0:gpr, %1:gpr
//   after    %2:gpra = ADD_rr %0:gpra, %1:gprb
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/passes/MicroengineTransferPlacement.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace {

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

  bool isFree(Register Value) const { return isMicroengineBankOpen(Value, *Values); }
  bool isIn(Register Value, const TargetRegisterClass& Bank) const {
    return Value.isVirtual() ? Bank.hasSubClassEq(Values->getRegClass(Value))
                             : Bank.contains(Value);
  }
  void buildGraph();
  void link(Register First, Register Second, float Weight);
  float gain(const Node& N) const;
  void colour();
  void separateSources(MachineBasicBlock& Block);

  MachineFunction* Function = nullptr;
  MachineRegisterInfo* Values = nullptr;
  const MicroengineInstrInfo* Instructions = nullptr;
  const MachineBlockFrequencyInfo* Frequencies = nullptr;
  std::vector<Node> Nodes;
};

char BankAssignment::ID;

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

// How much bank A gains over bank B.
float BankAssignment::gain(const Node& N) const {
  float Pull = N.PullToA;
  for (const Edge& E : N.Edges)
    Pull -= E.Weight * Nodes[E.To].Colour;
  return Pull;
}

// Greedy, heaviest first, then single flips until none helps. Values without a preference balance
// the banks.
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

// Where both sources still share a bank, one is copied to the other bank; a second use in the block
// uses the copy.
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
  Values = &F.getRegInfo();
  Instructions = F.getSubtarget<MicroengineSubtarget>().getInstrInfo();
  Frequencies = &getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI();
  for (unsigned Index = 0; Index != Values->getNumVirtRegs(); ++Index)
    Values->clearKillFlags(Register::index2VirtReg(Index));
  placeMicroengineTransfers(F);
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
