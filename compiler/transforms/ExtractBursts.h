// A burst stays in the transfer registers that it arrived in and cannot move between files, so no
// value of a burst may reach another block: its longwords are taken out where it arrives.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

// Every extraction of a constant longword of a vector moves to just after the vector's
// definition, once a longword.
struct ExtractBurstsPass : llvm::PassInfoMixin<ExtractBurstsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace nplab::compiler
