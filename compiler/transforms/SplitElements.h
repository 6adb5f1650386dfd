// InstCombine likes to read a byte of a burst as an element of the burst seen as a vector of bytes.
// This undoes it: the longword is extracted, then shifted.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

struct SplitElementsPass : llvm::PassInfoMixin<SplitElementsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace nplab::compiler
