// Says where registers ran out: LLVM's allocator says only that they did, and goes on with two values in one register. The
// first two such are looked for, and the later of their definitions is named.
#include "compiler/target/Microengine.h"
#include "compiler/target/MicroengineSubtarget.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/VirtRegMap.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace {

class NameShortage : public MachineFunctionPass {
public:
  static char ID;
  NameShortage() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine shortage of registers"; }
  void getAnalysisUsage(AnalysisUsage &Usage) const override {
    Usage.addRequired<LiveIntervalsWrapperPass>();
    Usage.addRequired<VirtRegMap>();
    Usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

  bool runOnMachineFunction(MachineFunction &Function) override {
    const DiagnosticHandler *Handler = Function.getFunction().getContext().getDiagHandlerPtr();
    if (Handler && Handler->HasErrors) name(Function);
    return false;
  }

private:
  void name(MachineFunction &Function) {
    LiveIntervals &Intervals = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
    const VirtRegMap &Map = getAnalysis<VirtRegMap>();
    const TargetRegisterInfo &Registers = *Function.getSubtarget().getRegisterInfo();
    MachineRegisterInfo &Values = Function.getRegInfo();
    SmallVector<Register, 64> Placed;
    for (unsigned Index = 0; Index != Values.getNumVirtRegs(); ++Index) {
      Register Value = Register::index2VirtReg(Index);
      if (Values.def_empty(Value) || !Map.hasPhys(Value) || !Intervals.hasInterval(Value)) continue;
      for (Register Other : Placed) {
        if (!Registers.regsOverlap(Map.getPhys(Value), Map.getPhys(Other)) ||
            !Intervals.getInterval(Value).overlaps(Intervals.getInterval(Other)))
          continue;
        const MachineInstr &First = *Values.def_instr_begin(Other), &Second = *Values.def_instr_begin(Value);
        const MachineInstr &Later = Second.getDebugLoc() ? Second : First;
        Function.getFunction().getContext().diagnose(DiagnosticInfoUnsupported(
            Function.getFunction(),
            Twine("out of ") + kindOf(Map.getPhys(Value)) + " registers here; use fewer or smaller bursts at a time",
            Later.getDebugLoc()));
        return;
      }
      Placed.push_back(Value);
    }
  }
  static StringRef kindOf(MCRegister Register) {
    return Microengine::GPRRegClass.contains(Register) ? "general-purpose" : "transfer";
  }
};

char NameShortage::ID;

}  // namespace

FunctionPass *llvm::createMicroengineNameShortage() { return new NameShortage; }
