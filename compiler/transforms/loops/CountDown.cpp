#include "compiler/transforms/loops/CountDown.h"

#include "compiler/transforms/loops/loop_rounds.h"
#include "compiler/transforms/preserved_analyses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

// The only test of a loop, at its end, and what it tests.
struct Counter {
  PHINode* count;
  Instruction* next;
  ICmpInst* test;
};

bool is_used_only_by(const Value& value, ArrayRef<const User*> users) {
  return all_of(value.users(), [&](const User* user) { return is_contained(users, user); });
}

std::optional<Counter> counter_of(const Loop& loop) {
  const BasicBlock* latch = loop.getLoopLatch();
  auto* branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || loop.getExitingBlock() != latch)
    return std::nullopt;
  auto* test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test || !test->hasOneUse())
    return std::nullopt;
  for (PHINode& count : loop.getHeader()->phis()) {
    auto* next = dyn_cast<Instruction>(count.getIncomingValueForBlock(latch));
    if (next && next != &count && count.getType()->isIntegerTy() &&
        is_used_only_by(count, {next, test}) && is_used_only_by(*next, {&count, test}) &&
        (is_contained(test->operands(), next) || is_contained(test->operands(), &count)) &&
        next->getOpcode() == Instruction::Add)
      return Counter{&count, next, test};
  }
  return std::nullopt;
}

bool counts_down(const Counter& counter) {
  const auto* limit = dyn_cast<ConstantInt>(counter.test->getOperand(1));
  return limit && limit->isZero() && counter.test->isEquality() &&
         counter.test->getOperand(0) == counter.next;
}

bool count_down(Loop& loop, ScalarEvolution& values, const TargetTransformInfo& costs) {
  const std::optional<Counter> counter = counter_of(loop);
  BasicBlock* before = loop.getLoopPreheader();
  if (!counter || !before || counts_down(*counter))
    return false;
  const SCEV* rounds = rounds_of(loop, values, costs);
  if (!rounds)
    return false;
  BasicBlock* latch = loop.getLoopLatch();
  auto* branch = cast<BranchInst>(latch->getTerminator());
  SCEVExpander expander(values, before->getDataLayout(), "");
  Type* longword = Type::getInt32Ty(before->getContext());
  Value* all = expander.expandCodeFor(rounds, longword, before->getTerminator());
  IRBuilder<> builder(&loop.getHeader()->front());
  builder.SetCurrentDebugLocation(counter->next->getDebugLoc());
  PHINode* left = builder.CreatePHI(longword, 2);
  builder.SetInsertPoint(branch);
  Value* next = builder.CreateSub(left, builder.getInt32(1));
  left->addIncoming(all, before);
  left->addIncoming(next, latch);
  const bool leaves_if_true = !loop.contains(branch->getSuccessor(0));
  builder.SetCurrentDebugLocation(counter->test->getDebugLoc());
  branch->setCondition(leaves_if_true ? builder.CreateIsNull(next) : builder.CreateIsNotNull(next));
  counter->test->eraseFromParent();
  counter->count->replaceAllUsesWith(PoisonValue::get(counter->count->getType()));
  counter->count->eraseFromParent();
  counter->next->eraseFromParent();
  values.forgetLoop(&loop);
  return true;
}

}  // namespace

PreservedAnalyses CountDownPass::run(Function& function, FunctionAnalysisManager& analyses) {
  auto& values = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const auto& costs = analyses.getResult<TargetIRAnalysis>(function);
  bool changed = false;
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    changed |= count_down(*loop, values, costs);
  return preserved_with_blocks(changed);
}

}  // namespace nplab::compiler
