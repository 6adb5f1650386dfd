// A reference adds 0 to 127 to its address at no cost. Sums that were hoisted or shared are formed
// again where they are used, so that the base alone takes a register.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

struct SinkAddressesPass : llvm::PassInfoMixin<SinkAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace nplab::compiler
