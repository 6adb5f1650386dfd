// Copies and clears of blocks of memory as bursts.
#pragma once

#include "compiler/backend/Microengine.h"
#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

// memcpy, memmove and memset, as C or LLVM itself writes them, become reads and writes of up to
// eight longwords: one after the other while they are few, else a loop. A block that may start
// between two longwords (SDRAM: quadwords) is tested for that where it is copied, and then copied
// in smaller parts. Left to LowerSubwordsPass: volatile ones, short ones of unknown alignment, and
// those that plain pointers address where these are in SDRAM.
struct LowerCopiesPass : llvm::PassInfoMixin<LowerCopiesPass> {
  explicit LowerCopiesPass(llvm::MicroengineAddressSpace::Space default_space)
      : default_space(default_space) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  llvm::MicroengineAddressSpace::Space default_space;
};

}  // namespace nplab::compiler
