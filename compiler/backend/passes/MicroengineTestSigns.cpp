// Tests a sign by the condition codes instead of by bit 31 of a register.
//
// Expects: filled slots, because only then is known what stands between the setter and the branch.
// Does: a branch on a bit is decided one stage later than one on condition codes, and aborts one
// cycle more. Where the codes still describe that register, and were not set directly before the
// branch, the branch reads them instead. Condition codes outlive a context swap, so a value that
// was shifted in a swap's slot serves.
//
//   before   alu_shf[a0, --, B, b0, <<1]    nop    br_bset[a0, 31, next#]
//   after    alu_shf[a0, --, B, b0, <<1]    nop    br<0[next#]
#include "compiler/backend/passes/MicroengineTestSigns.h"

#include "compiler/backend/passes/MicroengineSlots.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace llvm::Microengine;
using nplab::isa::AbortClass;
using nplab::isa::maximum_defer;

namespace {

// `br<0` takes overflow into account.
bool writesSignOf(const MachineInstr& Setter, Register Tested) {
  return clearsOverflow(Setter.getDesc()) && Setter.getDesc().getNumDefs() == 1 &&
         Setter.getOperand(0).getReg() == Tested;
}

// The instruction that set the codes that the branch would read, or null if none in its block did.
const MachineInstr* setterAbove(const MachineInstr& Branch) {
  for (const MachineInstr* Above = Branch.getPrevNode(); Above; Above = Above->getPrevNode()) {
    if (Above->isTerminator() || Above->isInlineAsm())
      return nullptr;
    if (definesCodes(*Above))
      return Above;
  }
  return nullptr;
}

// Whether a cycle or a swap lies between, so that the branch aborts two cycles and not three.
bool isApart(const MachineInstr& Setter, const MachineInstr& Branch) {
  const MachineInstr* Next = Setter.getNextNode();
  while (Next != &Branch && (Next->isDebugInstr() || Next->isPseudo()))
    Next = Next->getNextNode();
  if (Next != &Branch)
    return true;
  const MachineInstr* Above = Setter.getPrevNode();
  while (Above && Above->isDebugInstr())
    Above = Above->getPrevNode();
  return Above && !Above->isTerminator() && mostSlots(*Above) != 0 && filledSlots(*Above) != 0;
}

void testByCodes(MachineInstr& Branch) {
  Register Tested = Branch.getOperand(0).getReg();
  const TargetInstrInfo& Instructions = *Branch.getMF()->getSubtarget().getInstrInfo();
  const TargetRegisterInfo& Registers = *Branch.getMF()->getSubtarget().getRegisterInfo();
  if (Branch.getOperand(1).getImm() != kSignBit ||
      filledSlots(Branch) > maximum_defer(AbortClass::kCondition))
    return;
  const MachineInstr* Setter = setterAbove(Branch);
  if (!Setter || !writesSignOf(*Setter, Tested) || !isApart(*Setter, Branch))
    return;
  for (const MachineInstr* Next = Setter->getNextNode(); Next != &Branch;
       Next = Next->getNextNode())
    if (Next->modifiesRegister(Tested, &Registers))
      return;
  unsigned Opcode = Branch.getOpcode() == BR_BSET ? BR_LT : BR_GE;
  MachineInstr* ByCodes =
      BuildMI(*Branch.getParent(), Branch, Branch.getDebugLoc(), Instructions.get(Opcode))
          .add(Branch.getOperand(2))
          .add(Branch.getOperand(3));
  ByCodes->setDebugInstrNum(Branch.peekDebugInstrNum());
  Branch.eraseFromParent();
}

}  // namespace

void llvm::testMicroengineSignsByCodes(MachineFunction& Function) {
  for (MachineBasicBlock& Block : Function)
    for (MachineInstr& Instruction : make_early_inc_range(Block))
      if (Instruction.getOpcode() == BR_BSET || Instruction.getOpcode() == BR_BCLR)
        testByCodes(Instruction);
}
