#include "compiler/transforms/SplitElements.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr unsigned kLongwordBits = 32;

// The bits of a vector of longwords that an element of it as another type covers; null if they are
// no part of a longword.
Value* element_as_shift(ExtractElementInst& extraction) {
  auto* cast = dyn_cast<BitCastInst>(extraction.getVectorOperand());
  auto* index = dyn_cast<ConstantInt>(extraction.getIndexOperand());
  if (!cast || !index)
    return nullptr;
  auto* source = dyn_cast<FixedVectorType>(cast->getSrcTy());
  unsigned bits = extraction.getType()->getScalarSizeInBits();
  if (!source || !source->getElementType()->isIntegerTy(kLongwordBits) ||
      !extraction.getType()->isIntegerTy())
    return nullptr;
  IRBuilder<> builder(&extraction);
  uint64_t first_bit =
      index->getZExtValue() * bits;  // counted from the most significant bit of the first longword
  uint64_t word = first_bit / kLongwordBits;
  if (bits < kLongwordBits) {
    Value* longword = builder.CreateExtractElement(cast->getOperand(0), word);
    return builder.CreateTrunc(
        builder.CreateLShr(longword, kLongwordBits - bits - first_bit % kLongwordBits),
        extraction.getType());
  }
  Value* whole = builder.getIntN(bits, 0);
  for (; bits != 0; bits -= kLongwordBits, ++word) {
    Value* longword = builder.CreateZExt(builder.CreateExtractElement(cast->getOperand(0), word),
                                         extraction.getType());
    whole = builder.CreateOr(whole, builder.CreateShl(longword, bits - kLongwordBits));
  }
  return whole;
}

}  // namespace

PreservedAnalyses SplitElementsPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* extraction = dyn_cast<ExtractElementInst>(&instruction);
    Value* value = extraction ? element_as_shift(*extraction) : nullptr;
    if (!value)
      continue;
    extraction->replaceAllUsesWith(value);
    extraction->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace nplab::compiler
