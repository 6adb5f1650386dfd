#include "compiler/transforms/loops/loop_rounds.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

// Products and quotients of variables would be calls.
bool is_arithmetic(const SCEV* value) {
  return SCEVExprContains(value, [](const SCEV* part) {
    if (auto* quotient = dyn_cast<SCEVUDivExpr>(part)) {
      auto* divisor = dyn_cast<SCEVConstant>(quotient->getRHS());
      return !divisor || !divisor->getAPInt().isPowerOf2();
    }
    if (auto* product = dyn_cast<SCEVMulExpr>(part)) {
      auto* factor = dyn_cast<SCEVConstant>(product->getOperand(0));
      return !factor || !factor->getAPInt().isPowerOf2();
    }
    return false;
  });
}

}  // namespace

const SCEV* rounds_of(Loop& loop, ScalarEvolution& values, const TargetTransformInfo& costs) {
  const SCEV* back = values.getBackedgeTakenCount(&loop);
  Type* longword = Type::getInt32Ty(loop.getHeader()->getContext());
  if (llvm::isa<SCEVCouldNotCompute>(back) ||
      values.getTypeSizeInBits(back->getType()) > longword->getIntegerBitWidth())
    return nullptr;
  const SCEV* rounds =
      values.getAddExpr(values.getNoopOrZeroExtend(back, longword), values.getOne(longword));
  const BasicBlock* before = loop.getLoopPredecessor();
  if (!before || is_arithmetic(rounds))
    return nullptr;
  SCEVExpander expander(values, loop.getHeader()->getDataLayout(), "");
  const Instruction* place = before->getTerminator();
  const bool is_high = expander.isHighCostExpansion({rounds}, &loop, /*Budget=*/4, &costs, place);
  return is_high || !expander.isSafeToExpandAt(rounds, place) ? nullptr : rounds;
}

}  // namespace nplab::compiler
