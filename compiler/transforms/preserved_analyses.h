// What passes say that they left as it was.
#pragma once

#include "llvm/IR/Analysis.h"

namespace nplab::compiler {

// Of a pass that moves or replaces instructions and never changes the blocks and their edges.
inline llvm::PreservedAnalyses preserved_with_blocks(bool changed) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace nplab::compiler
