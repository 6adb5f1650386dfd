// Switches that jump into a table: one `jump` to the table's label plus a number, where a `br` to
// the case stands for each number. The table stands after the slots of its jump
// (MicroengineAsmPrinter.cpp).
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineISelLowering.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/CodeGen/MachineJumpTableInfo.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

// Of a binary search, for four targets: measured on switches of 6 to 16 cases, whose comparisons
// take two words each, or one where they test a byte.
static constexpr unsigned kWordsPerFourTargets = 9;
// The range check and the jump; a difference where the first number is not 0.
static constexpr unsigned kWordsBesideTable = 4;
// What a table may be larger than the search where time counts: it takes at most 9 cycles (range
// check 2, jump 4, br 2, less filled slots; docs/chip.md, "Aborts"), and each level of a search 2,
// and 2 or 3 more where it branches.
static constexpr unsigned kGrowthForTime = 2;

unsigned llvm::fewestMicroengineTableTargets() {
  return 6;
}

// Neighbouring numbers with one target are one comparison.
static uint64_t differentTargets(const SwitchInst& Switch) {
  SmallVector<std::pair<APInt, const BasicBlock*>, 32> Cases;
  for (const auto& Case : Switch.cases())
    Cases.emplace_back(Case.getCaseValue()->getValue(), Case.getCaseSuccessor());
  sort(Cases, [](const auto& A, const auto& B) { return A.first.slt(B.first); });
  uint64_t Runs = 0;
  for (size_t Index = 0; Index != Cases.size(); ++Index)
    if (Index == 0 || Cases[Index].second != Cases[Index - 1].second ||
        Cases[Index].first != Cases[Index - 1].first + 1)
      ++Runs;
  return Runs;
}

bool MicroengineTargetLowering::areJTsAllowed(const Function* Function) const {
  const auto& Options =
      static_cast<const MicroengineTargetMachine&>(getTargetMachine()).engineOptions();
  return Options.FillSlots && !Function->hasFnAttribute("no-jump-tables");
}

bool MicroengineTargetLowering::isSuitableForJumpTable(const SwitchInst* Switch, uint64_t Cases,
                                                       uint64_t Range, ProfileSummaryInfo*,
                                                       BlockFrequencyInfo*) const {
  const uint64_t Targets = std::min(Cases, differentTargets(*Switch));
  if (Targets < fewestMicroengineTableTargets())
    return false;
  const bool ForSize = Switch->getFunction()->hasOptSize();
  const uint64_t Words = Targets * kWordsPerFourTargets / 4 * (ForSize ? 1 : kGrowthForTime);
  return Range <= MicroengineMostTableEntries && Range + kWordsBesideTable <= Words;
}

unsigned MicroengineTargetLowering::getJumpTableEncoding() const {
  return MachineJumpTableInfo::EK_Inline;
}

SDValue llvm::lowerMicroengineJumpTable(SDValue Jump, SelectionDAG& DAG) {
  const auto* Table = cast<JumpTableSDNode>(Jump.getOperand(1));
  return DAG.getNode(MicroengineISD::JUMP_TABLE, SDLoc(Jump), MVT::Other, Jump.getOperand(0),
                     Jump.getOperand(2), DAG.getTargetJumpTable(Table->getIndex(), MVT::i32));
}
