// Says where registers ran out.
//
// Expects: the allocator's assignment, before it is written into the code.
// Does: LLVM's allocator reports only that registers ran out, and puts two values into one. This
// finds the first two such values and names the later of their definitions: function, line, and
// what helps. Where a value took a register that no other value has, there are no two; the driver
// then refuses the entire program. The code itself stays as it is.
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/VirtRegMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace {

class OutOfRegisters : public MachineFunctionPass {
 public:
  static char ID;
  OutOfRegisters() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine out of registers"; }
  void getAnalysisUsage(AnalysisUsage& Usage) const override {
    Usage.addRequired<LiveIntervalsWrapperPass>();
    Usage.addRequired<VirtRegMap>();
    Usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

  bool runOnMachineFunction(MachineFunction& Function) override {
    const DiagnosticHandler* Handler = Function.getFunction().getContext().getDiagHandlerPtr();
    if (Handler && Handler->HasErrors)
      name(Function);
    return false;
  }

 private:
  void name(MachineFunction& Function) {
    LiveIntervals& Intervals = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
    const VirtRegMap& Map = getAnalysis<VirtRegMap>();
    const TargetRegisterInfo& Registers = *Function.getSubtarget().getRegisterInfo();
    MachineRegisterInfo& Values = Function.getRegInfo();
    SmallVector<Register, 64> Placed;
    for (unsigned Index = 0; Index != Values.getNumVirtRegs(); ++Index) {
      Register Value = Register::index2VirtReg(Index);
      if (Values.def_empty(Value) || !Map.hasPhys(Value) || !Intervals.hasInterval(Value))
        continue;
      for (Register Other : Placed) {
        if (!Registers.regsOverlap(Map.getPhys(Value), Map.getPhys(Other)) ||
            !Intervals.getInterval(Value).overlaps(Intervals.getInterval(Other)))
          continue;
        DebugLoc Location = locationNear(*Values.def_instr_begin(Value));
        if (!Location)
          Location = locationNear(*Values.def_instr_begin(Other));
        return refuse(Function, kindOf(Map.getPhys(Value)), Location);
      }
      Placed.push_back(Value);
    }
  }

  struct Kind {
    StringRef Registers;
    StringRef Hint;
  };
  static Kind kindOf(MCRegister Register) {
    if (Microengine::GPRRegClass.contains(Register))
      return {"general-purpose ",
              "use fewer operands of inline assembly and __shared variables at a time"};
    return {"transfer ", "use fewer or smaller bursts at a time"};
  }

  // Copies that the compiler made have no line; what stands next to them does.
  static DebugLoc locationNear(const MachineInstr& Instruction) {
    const MachineBasicBlock& Block = *Instruction.getParent();
    for (auto Next = Instruction.getIterator(); Next != Block.instr_end(); ++Next)
      if (const DebugLoc& Location = Next->getDebugLoc();
          Location && Location.getLine() && !Next->isDebugInstr())
        return Location;
    for (auto Previous = Instruction.getReverseIterator(); Previous != Block.instr_rend();
         ++Previous)
      if (const DebugLoc& Location = Previous->getDebugLoc();
          Location && Location.getLine() && !Previous->isDebugInstr())
        return Location;
    return DebugLoc();
  }

  // Everything is inlined into main: the function that the line is of tells more.
  static void refuse(MachineFunction& Function, Kind Short, const DebugLoc& Location) {
    StringRef Source = Location
                           ? cast<DILocalScope>(Location->getScope())->getSubprogram()->getName()
                           : Function.getName();
    Function.getFunction().getContext().diagnose(DiagnosticInfoUnsupported(
        Function.getFunction(),
        Twine("out of ") + Short.Registers + "registers in '" + Source + "': " + Short.Hint,
        Location));
  }
};

char OutOfRegisters::ID;

}  // namespace

FunctionPass* llvm::createMicroengineOutOfRegisters() {
  return new OutOfRegisters;
}
