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

// The overflow forms of multiplication: in twice the width, which the operators above then serve.
bool expand_overflow(IntrinsicInst& call) {
  bool is_signed = call.getIntrinsicID() == Intrinsic::smul_with_overflow;
  if (!is_signed && call.getIntrinsicID() != Intrinsic::umul_with_overflow)
    return false;
  IRBuilder<> builder(&call);
  Type* narrow = call.getArgOperand(0)->getType();
  if (narrow->getIntegerBitWidth() > 32)
    return false;
  Type* wide = builder.getInt64Ty();
  Value* product = builder.CreateMul(builder.CreateIntCast(call.getArgOperand(0), wide, is_signed),
                                     builder.CreateIntCast(call.getArgOperand(1), wide, is_signed));
  Value* low = builder.CreateTrunc(product, narrow);
  Value* overflow = builder.CreateICmpNE(builder.CreateIntCast(low, wide, is_signed), product);
  Value* result = builder.CreateInsertValue(PoisonValue::get(call.getType()), low, 0);
  call.replaceAllUsesWith(builder.CreateInsertValue(result, overflow, 1));
  call.eraseFromParent();
  return true;
}

}  // namespace

PreservedAnalyses ExpandArithmeticPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction))
      changed |= expand_overflow(*call);
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
