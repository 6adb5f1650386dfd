// Control flow without what the source did not say: dead blocks go, chains of blocks merge, empty
// blocks disappear. No branch becomes a select, nothing is speculated, hoisted, sunk or turned into
// a table, all of which LLVM's SimplifyCFG does even with every option off.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

struct PlainControlFlowPass : llvm::PassInfoMixin<PlainControlFlowPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace nplab::compiler
