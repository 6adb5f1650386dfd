#include "compiler/transforms/ExtractBursts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

bool isBurst(const Instruction& instruction) {
  return instruction.getType()->isVectorTy() && llvm::isa<CallInst, LoadInst>(instruction);
}

// The extractions of `burst` by constant index, moved to just after it; duplicates are replaced by
// the first.
bool gatherExtractions(Instruction& burst) {
  SmallVector<ExtractElementInst*, 8> extractions;
  for (User* user : burst.users()) {
    auto* extraction = dyn_cast<ExtractElementInst>(user);
    if (extraction != nullptr && llvm::isa<ConstantInt>(extraction->getIndexOperand()))
      extractions.push_back(extraction);
  }
  DenseMap<uint64_t, ExtractElementInst*> byIndex;
  for (ExtractElementInst* extraction : extractions) {
    const uint64_t index = cast<ConstantInt>(extraction->getIndexOperand())->getZExtValue();
    auto [known, isNew] = byIndex.try_emplace(index, extraction);
    if (isNew) {
      extraction->moveAfter(&burst);
      continue;
    }
    extraction->replaceAllUsesWith(known->second);
    extraction->eraseFromParent();
  }
  return !extractions.empty();
}

}  // namespace

PreservedAnalyses ExtractBurstsPass::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<Instruction*, 16> bursts;
  for (Instruction& instruction : instructions(function))
    if (isBurst(instruction))
      bursts.push_back(&instruction);
  bool changed = false;
  for (Instruction* burst : bursts)
    changed |= gatherExtractions(*burst);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace nplab::compiler
