// Refuses programs in which something disturbs a reference that signals instead of blocking.
//
// Expects: allocated registers, pseudo instructions expanded.
// Does: from each such reference to the waits for its event, nothing may touch the registers in
// which its data arrives, change those from which it departs, or wait for the same event in another
// reference. The allocator does not know that data is on its way; where it moved a value or put a
// spill in between, the program is refused here, and the driver compiles it again with references
// that block.
//
//   refused  sram[read, $0, a0, 0, 1], sig_done    alu[$0, --, B, a1]    ctx_arb[sram]
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineCalledFunctions.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;
using namespace llvm::Microengine;

namespace {

class CheckSignals : public MachineFunctionPass {
 public:
  static char ID;
  CheckSignals() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine signal check"; }
  void getAnalysisUsage(AnalysisUsage& Usage) const override {
    Usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

  bool runOnMachineFunction(MachineFunction& Function) override {
    for (MachineBasicBlock& Block : Function)
      for (MachineInstr& Instruction : Block)
        if (std::optional<Transfer> Kind = transferOf(Instruction);
            Kind && onlySignals(Instruction))
          check(Instruction, *Kind);
    return false;
  }

 private:
  static void check(MachineInstr& Start, Transfer Kind) {
    const TargetRegisterInfo& Registers = *Start.getMF()->getSubtarget().getRegisterInfo();
    Register Data = Start.getOperand(0).getReg();
    unsigned Event = eventOf(Start);
    visitUntilWait(Start, [&](MachineInstr& Next) {
      bool IsWait = Next.getOpcode() == CTX_ARB && Next.getOperand(0).getImm() & Event;
      bool Disturbs = !IsWait && isReference(Next.getDesc()) && eventOf(Next) == Event &&
                      tokensOf(Next).getImm() & (kContextSwapToken | kSignalToken);
      if (Next.getOpcode() == CALL)
        Disturbs |= calledFunctionsOf(*Next.getMF()).calledBy(Next).HasReferences;
      for (const MachineOperand& Operand : Next.operands()) {
        if (IsWait || !Operand.isReg() || !Operand.getReg() ||
            !Registers.regsOverlap(Operand.getReg(), Data))
          continue;
        if (Kind.Reads || Operand.isDef())
          Disturbs = true;
      }
      if (Disturbs)
        Start.getMF()->getFunction().getContext().diagnose(DiagnosticInfoUnsupported(
            Start.getMF()->getFunction(),
            "out of transfer registers while this reference is under way", Start.getDebugLoc()));
      return !Disturbs;
    });
  }
};

char CheckSignals::ID;

}  // namespace

FunctionPass* llvm::createMicroengineCheckSignals() {
  return new CheckSignals;
}
