#include "compiler/transforms/ExpandArithmetic.h"

#include "compiler/backend/factor_terms.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

// More terms than this and the loop of the runtime routine is smaller.
constexpr std::size_t kMostTerms = 6;

const char* routine_of(unsigned opcode) {
  switch (opcode) {
    case Instruction::Mul: return "multiply";
    case Instruction::UDiv: return "divide";
    case Instruction::SDiv: return "divide_signed";
    case Instruction::URem: return "modulo";
    case Instruction::SRem: return "modulo_signed";
    default: return nullptr;
  }
}

// Products with few terms are formed during selection, where LLVM forms some itself.
bool is_for_selection(const BinaryOperator& operation) {
  auto* factor = dyn_cast<ConstantInt>(operation.getOperand(1));
  unsigned width = operation.getType()->getScalarSizeInBits();
  return operation.getOpcode() == Instruction::Mul && factor && (width <= 32 || width == 64) &&
         factor_terms(factor->getValue()).size() <= kMostTerms;
}

// A call that is inlined must have a place in the source; LLVM leaves what it forms itself without
// one.
DebugLoc place_of(const Instruction& instruction) {
  if (instruction.getDebugLoc())
    return instruction.getDebugLoc();
  for (const Instruction* next = instruction.getNextNode(); next; next = next->getNextNode())
    if (next->getDebugLoc())
      return next->getDebugLoc();
  DISubprogram* function = instruction.getFunction()->getSubprogram();
  return DebugLoc(function
                      ? DILocation::get(instruction.getContext(), function->getLine(), 0, function)
                      : nullptr);
}

Value* expand(BinaryOperator& operation) {
  IRBuilder<> builder(&operation);
  builder.SetCurrentDebugLocation(place_of(operation));
  Value* left = operation.getOperand(0);
  Value* right = operation.getOperand(1);
  auto* constant = dyn_cast<ConstantInt>(right);
  if (constant && constant->getValue().isPowerOf2()) {
    if (operation.getOpcode() == Instruction::UDiv)
      return builder.CreateLShr(left, constant->getValue().logBase2());
    if (operation.getOpcode() == Instruction::URem)
      return builder.CreateAnd(left, constant->getValue() - 1);
  }
  bool is_signed =
      operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::SRem;
  unsigned width = operation.getType()->getIntegerBitWidth() <= 32 ? 32 : 64;
  Type* type = builder.getIntNTy(width);
  std::string name =
      std::string(kRuntimePrefix) + routine_of(operation.getOpcode()) + (width == 64 ? "64" : "");
  Function* routine = operation.getModule()->getFunction(name);
  assert(routine && "the runtime is compiled with every program");
  Value* result = builder.CreateCall(routine, {builder.CreateIntCast(left, type, is_signed),
                                               builder.CreateIntCast(right, type, is_signed)});
  return builder.CreateTrunc(result, operation.getType());
}

Value* with_overflow(IRBuilder<>& builder, const IntrinsicInst& call, Value* product,
                     Value* overflow) {
  Value* result = builder.CreateInsertValue(PoisonValue::get(call.getType()), product, 0);
  return builder.CreateInsertValue(result, overflow, 1);
}

// In twice the width, which the operators above then serve.
Value* narrow_overflow(IntrinsicInst& call, bool is_signed) {
  IRBuilder<> builder(&call);
  Type* narrow = call.getArgOperand(0)->getType();
  Type* wide = builder.getInt64Ty();
  Value* product = builder.CreateMul(builder.CreateIntCast(call.getArgOperand(0), wide, is_signed),
                                     builder.CreateIntCast(call.getArgOperand(1), wide, is_signed));
  Value* low = builder.CreateTrunc(product, narrow);
  Value* overflow = builder.CreateICmpNE(builder.CreateIntCast(low, wide, is_signed), product);
  return with_overflow(builder, call, low, overflow);
}

// Of more than 32 bits: by the upper half of the product, which is 0, or the sign of the lower.
Value* wide_overflow(IntrinsicInst& call, bool is_signed) {
  IRBuilder<> builder(&call);
  builder.SetCurrentDebugLocation(place_of(call));
  Type* narrow = call.getArgOperand(0)->getType();
  Type* wide = builder.getInt64Ty();
  Value* left = builder.CreateIntCast(call.getArgOperand(0), wide, is_signed);
  Value* right = builder.CreateIntCast(call.getArgOperand(1), wide, is_signed);
  Function* routine = call.getModule()->getFunction(
      std::string(kRuntimePrefix) + (is_signed ? "multiply_high_signed64" : "multiply_high64"));
  assert(routine && "the runtime is compiled with every program");
  Value* high = builder.CreateCall(routine, {left, right});
  Value* product = builder.CreateMul(left, right);
  Value* expected = is_signed ? builder.CreateAShr(product, 63) : builder.getInt64(0);
  Value* low = builder.CreateTrunc(product, narrow);
  Value* overflow =
      builder.CreateOr(builder.CreateICmpNE(high, expected),
                       builder.CreateICmpNE(builder.CreateIntCast(low, wide, is_signed), product));
  return with_overflow(builder, call, low, overflow);
}

// The overflow forms of multiplication.
bool expand_overflow(IntrinsicInst& call) {
  const bool is_signed = call.getIntrinsicID() == Intrinsic::smul_with_overflow;
  if (!is_signed && call.getIntrinsicID() != Intrinsic::umul_with_overflow)
    return false;
  const bool is_narrow = call.getArgOperand(0)->getType()->getIntegerBitWidth() <= 32;
  call.replaceAllUsesWith(is_narrow ? narrow_overflow(call, is_signed)
                                    : wide_overflow(call, is_signed));
  call.eraseFromParent();
  return true;
}

// Element by element: each is then an operation of its own.
void split_vector(BinaryOperator& operation) {
  IRBuilder<> builder(&operation);
  Value* result = PoisonValue::get(operation.getType());
  const unsigned count = cast<FixedVectorType>(operation.getType())->getNumElements();
  for (unsigned i = 0; i != count; ++i) {
    Value* element = builder.CreateBinOp(operation.getOpcode(),
                                         builder.CreateExtractElement(operation.getOperand(0), i),
                                         builder.CreateExtractElement(operation.getOperand(1), i));
    result = builder.CreateInsertElement(result, element, i);
  }
  operation.replaceAllUsesWith(result);
  operation.eraseFromParent();
}

}  // namespace

PreservedAnalyses ExpandArithmeticPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction))
      changed |= expand_overflow(*call);
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* operation = dyn_cast<BinaryOperator>(&instruction);
        operation && operation->getType()->isVectorTy() && routine_of(operation->getOpcode())) {
      split_vector(*operation);
      changed = true;
    }
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* operation = dyn_cast<BinaryOperator>(&instruction);
    if (!operation || is_for_selection(*operation) || !routine_of(operation->getOpcode()) ||
        !operation->getType()->isIntegerTy())
      continue;
    operation->replaceAllUsesWith(expand(*operation));
    operation->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace nplab::compiler
