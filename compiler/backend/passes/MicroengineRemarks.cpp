#include "compiler/backend/passes/MicroengineRemarks.h"

#include "compiler/backend/passes/MicroengineSlots.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

template <typename Remark>
static void emitRemark(const MachineInstr& Place, const char* Pass, StringRef What,
                       const Twine& Message) {
  const MachineBasicBlock* Block = Place.getParent();
  Remark Emitted(Pass, What, DiagnosticLocation(Place.getDebugLoc()), Block);
  if (!Emitted.isEnabled())
    return;
  Emitted << Message.str();
  Block->getParent()->getFunction().getContext().diagnose(Emitted);
}

void Microengine::remark(const MachineInstr& Place, const char* Pass, StringRef What,
                         const Twine& Message) {
  emitRemark<MachineOptimizationRemark>(Place, Pass, What, Message);
}

void Microengine::missedRemark(const MachineInstr& Place, const char* Pass, StringRef What,
                               const Twine& Message) {
  emitRemark<MachineOptimizationRemarkMissed>(Place, Pass, What, Message);
}

std::string Microengine::lineOf(const MachineInstr& Place) {
  return Place.getDebugLoc() ? "line " + std::to_string(Place.getDebugLoc().getLine())
                             : "another line";
}

void llvm::remarkMicroengineSlots(MachineFunction& Function) {
  using namespace Microengine;
  for (const MachineBasicBlock& Block : Function)
    for (const MachineInstr& Leader : Block) {
      unsigned Most = mostSlots(Leader);
      if (Most == 0)
        continue;
      unsigned Filled = filledSlots(Leader);
      std::string Text = (Twine(Filled) + " of " + Twine(Most) + " slots after this " +
                          (Leader.isTerminator() ? "branch" : "context swap") + " are filled")
                             .str();
      if (Filled != 0)
        remark(Leader, kFillSlotsName, "Filled", Text);
      if (Filled != Most)
        missedRemark(Leader, kFillSlotsName, "Empty",
                     Text + ": no other instruction may move there");
    }
}
