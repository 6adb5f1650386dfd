#include "compiler/transforms/SinkAddresses.h"

#include "compiler/transforms/preserved_analyses.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace nplab::compiler {
namespace {

constexpr uint64_t kLargestOffset = 127;  // bytes, in a reference

bool is_small_sum(const Value* value) {
  const APInt* offset = nullptr;
  return match(value, m_Add(m_Value(), m_APInt(offset))) && offset->ule(kLargestOffset) &&
         llvm::isa<Instruction>(value);
}

bool is_small_step(const Value* value, const DataLayout& layout) {
  auto* step = dyn_cast<GetElementPtrInst>(value);
  APInt offset(layout.getIndexTypeSizeInBits(value->getType()), 0);
  return step && step->accumulateConstantOffset(layout, offset) && offset.ule(kLargestOffset);
}

Instruction* copy_before(Instruction& original, Instruction& user) {
  Instruction* copy = original.clone();
  copy->insertBefore(&user);
  return copy;
}

bool sink(Use& address, Instruction& user) {
  auto* pointer = dyn_cast<Instruction>(address.get());
  if (!pointer || !pointer->getType()->isPointerTy() || pointer->getParent() == user.getParent())
    return false;
  if (is_small_step(pointer, user.getDataLayout())) {
    address.set(copy_before(*pointer, user));
    return true;
  }
  auto* cast = dyn_cast<IntToPtrInst>(pointer);
  if (!cast || !is_small_sum(cast->getOperand(0)))
    return false;
  Instruction* sum = copy_before(*llvm::cast<Instruction>(cast->getOperand(0)), user);
  Instruction* copy = copy_before(*cast, user);
  copy->setOperand(0, sum);
  address.set(copy);
  return true;
}

}  // namespace

PreservedAnalyses SinkAddressesPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!llvm::isa<LoadInst, StoreInst, CallInst>(instruction))
      continue;
    for (Use& operand : instruction.operands())
      changed |= sink(operand, instruction);
  }
  return preserved_with_blocks(changed);
}

}  // namespace nplab::compiler
