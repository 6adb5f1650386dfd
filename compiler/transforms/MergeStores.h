// Stores of neighbouring longwords (SDRAM: quadwords) become one burst of any length that a
// reference can move. LLVM's vectoriser has formed those of 2, 4 and 8; a third longword, or one
// beside such a burst, joins here.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

// The burst stands where the last of its stores stood: none passes an access that may touch the
// same memory, a volatile or atomic one, or a call.
struct MergeStoresPass : llvm::PassInfoMixin<MergeStoresPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace nplab::compiler
