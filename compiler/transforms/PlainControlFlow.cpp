#include "compiler/transforms/PlainControlFlow.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

bool is_empty(const BasicBlock& block) {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  return branch && branch->isUnconditional() && block.getFirstNonPHIOrDbg() == branch &&
         branch->getSuccessor(0) != &block;
}

bool simplify(BasicBlock& block) {
  if (ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true))
    return true;
  if (&block == &block.getParent()->getEntryBlock())
    return false;
  if (MergeBlockIntoPredecessor(&block))
    return true;
  return is_empty(block) && TryToSimplifyUncondBranchFromEmptyBlock(&block);
}

}  // namespace

PreservedAnalyses PlainControlFlowPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (bool again = true; again;) {
    again = removeUnreachableBlocks(function);
    for (BasicBlock& block : make_early_inc_range(function))
      if (simplify(block))
        again = true;
    changed |= again;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace nplab::compiler
