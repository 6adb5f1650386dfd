// Refuses programs in which another thread of the engine may run between atomic_begin and
// atomic_end, where the engine's threads share registers (isa/include/microengine.h).
//
// Expects: allocated registers, pseudo instructions expanded.
// Does: on no way from a begin to an end may anything let another thread run: neither what the
// program says nor a spill of the allocator, which is a reference that blocks. From atomic_last on,
// the first reference of the program may, which ends the section.
//
//   refused  atomic_begin()    alu[a0, --, B, @b14]    sram[read, $0, a1, 4, 1], ctx_swap
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineCalledFunctions.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "compiler/options/atomic_marks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;
using namespace llvm::Microengine;
using namespace nplab::compiler;

namespace {

enum class Section { kNone, kAtomic, kLast };

class CheckAtomic : public MachineFunctionPass {
 public:
  static char ID;
  CheckAtomic() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "microengine atomic section check"; }
  void getAnalysisUsage(AnalysisUsage& Usage) const override {
    Usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

  bool runOnMachineFunction(MachineFunction& Function) override {
    DenseMap<const MachineBasicBlock*, Section> Entered;
    SmallVector<MachineBasicBlock*, 16> Left{&Function.front()};
    Entered[&Function.front()] = Section::kNone;
    while (!Left.empty()) {
      MachineBasicBlock* Block = Left.pop_back_val();
      Section State = Entered[Block];
      for (MachineInstr& Instruction : *Block)
        State = after(Instruction, State);
      for (MachineBasicBlock* Next : Block->successors()) {
        auto [Known, IsNew] = Entered.try_emplace(Next, State);
        // What is atomic on one way is taken to be on all.
        bool IsStricter = State == Section::kAtomic && Known->second != Section::kAtomic;
        if (IsStricter)
          Known->second = State;
        if (IsNew || IsStricter)
          Left.push_back(Next);
      }
    }
    return false;
  }

 private:
  static bool swapsContext(MachineInstr& Instruction) {
    if (Instruction.getOpcode() == CTX_ARB)
      return true;
    if (Instruction.getOpcode() == CALL)
      return calledFunctionsOf(*Instruction.getMF()).calledBy(Instruction).Swaps;
    return isReference(Instruction.getDesc()) &&
           (tokensOf(Instruction).getImm() & kContextSwapToken) != 0;
  }
  // Of the allocator: to a place of the frame that has no variable of the source.
  static bool isSpill(const MachineInstr& Reference) {
    return any_of(Reference.memoperands(), [](const MachineMemOperand* Memory) {
      const PseudoSourceValue* Place = Memory->getPseudoValue();
      return Place && Place->kind() == PseudoSourceValue::FixedStack;
    });
  }

  static Section after(MachineInstr& Instruction, Section State) {
    if (Instruction.getOpcode() == ANNOTATE) {
      switch (Instruction.getOperand(0).getImm()) {
        case kAtomicBegin: return Section::kAtomic;
        case kAtomicEnd: return Section::kNone;
        case kAtomicLast: return Section::kLast;
        default: return State;
      }
    }
    if (State == Section::kNone || !swapsContext(Instruction))
      return State;
    if (State == Section::kAtomic || isSpill(Instruction))
      refuse(Instruction);
    return Section::kNone;
  }

  static void refuse(const MachineInstr& Instruction) {
    const Function& Program = Instruction.getMF()->getFunction();
    const char* Why =
        isSpill(Instruction)
            ? "out of registers in an atomic section: a spill would let other threads run"
            : "this lets another thread run in an atomic section (from atomic_begin to atomic_end)";
    Program.getContext().diagnose(
        DiagnosticInfoUnsupported(Program, Why, Instruction.getDebugLoc()));
  }
};

char CheckAtomic::ID;

}  // namespace

FunctionPass* llvm::createMicroengineCheckAtomic() {
  return new CheckAtomic;
}
