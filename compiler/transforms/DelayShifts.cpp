#include "compiler/transforms/DelayShifts.h"

#include "compiler/transforms/preserved_analyses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

bool refers_to_memory(const BasicBlock& block) {
  return any_of(block,
                [](const Instruction& instruction) { return instruction.mayReadOrWriteMemory(); });
}

// phi(start, phi << n), where the low n bits of start are zeros: the phi of (start >> n), shifted
// at once.
bool delay(PHINode& value, BasicBlock& latch) {
  if (value.getNumIncomingValues() != 2 || !value.getType()->isIntegerTy(32))
    return false;
  auto* shift = dyn_cast<BinaryOperator>(value.getIncomingValueForBlock(&latch));
  if (!shift || shift->getOpcode() != Instruction::Shl || shift->getOperand(0) != &value ||
      !shift->hasOneUse())
    return false;
  auto* amount = dyn_cast<ConstantInt>(shift->getOperand(1));
  const unsigned from_start = value.getBasicBlockIndex(&latch) == 0 ? 1 : 0;
  Value* start = value.getIncomingValue(from_start);
  BasicBlock* entry = value.getIncomingBlock(from_start);
  const KnownBits known = computeKnownBits(start, value.getDataLayout());
  if (!amount || known.countMinTrailingZeros() < amount->getZExtValue())
    return false;

  IRBuilder<> before(entry->getTerminator());
  before.SetCurrentDebugLocation(shift->getDebugLoc());
  Value* earlier = before.CreateLShr(start, amount);
  PHINode* unshifted = PHINode::Create(value.getType(), 2, value.getName(), value.getIterator());
  IRBuilder<> head(value.getParent(), value.getParent()->getFirstInsertionPt());
  head.SetCurrentDebugLocation(shift->getDebugLoc());
  Value* now = head.CreateShl(unshifted, amount);
  unshifted->addIncoming(earlier, entry);
  unshifted->addIncoming(now, &latch);
  value.replaceAllUsesWith(now);
  value.eraseFromParent();
  shift->eraseFromParent();
  return true;
}

}  // namespace

PreservedAnalyses DelayShiftsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    BasicBlock* latch = loop->getLoopLatch();
    if (!latch || !refers_to_memory(*loop->getHeader()))
      continue;
    for (PHINode& value : make_early_inc_range(loop->getHeader()->phis()))
      changed |= delay(value, *latch);
  }
  return preserved_with_blocks(changed);
}

}  // namespace nplab::compiler
