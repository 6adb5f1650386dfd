// How often a loop goes round, as a value that can be had before it starts.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"

namespace nplab::compiler {

// 32 bits, in the loop's preheader; 0 stands for 2^32 rounds, in which a loop that steps on in
// memory has been everywhere. Null if it is not known, or costs more than a few instructions.
const llvm::SCEV* rounds_of(llvm::Loop& loop, llvm::ScalarEvolution& values,
                            const llvm::TargetTransformInfo& costs);

}  // namespace nplab::compiler
