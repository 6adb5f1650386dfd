// A loop that shifts a value at the end of each round shifts it at the head of the next instead,
// where the shift precedes the iteration's first reference and goes into the slot after it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

struct DelayShiftsPass : llvm::PassInfoMixin<DelayShiftsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace nplab::compiler
