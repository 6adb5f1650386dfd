// A variable that only counts the rounds of its loop counts those that are left:
//
//   before   i = 0; do { ... i++; } while (i != n);
//   after    left = n; do { ... left--; } while (left != 0);
//
// The instruction that counts sets the condition codes that the loop's branch tests, so a round is
// a comparison shorter, and a limit that is no immediate needs no register.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

struct CountDownPass : llvm::PassInfoMixin<CountDownPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace nplab::compiler
