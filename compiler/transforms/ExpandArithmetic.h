// Multiplication, division and remainder: shifts and adds for constants, calls of runtime/runtime.c
// for the rest.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

inline constexpr char kRuntimePrefix[] = "__me_rt_";

struct ExpandArithmeticPass : llvm::PassInfoMixin<ExpandArithmeticPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace nplab::compiler
