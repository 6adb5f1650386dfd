// A loop that reads an array from one end to the other, an element per round, reads the elements of
// several rounds in one burst:
//
//   before   do sum += *p++; while (--n);
//   after    for (bursts = n / 8; bursts; bursts--) {
//              read the eight longwords at p; p += 8; sum += the first; ... sum += the eighth;
//            }
//            n %= 8; if (n) do sum += *p++; while (--n);
//
// A reference costs about as much for eight longwords as for one. Nothing is read that C does not
// read: a burst starts only when so many rounds are left, and the loop has no other exit than its
// test. A number of rounds that is known is divided without a rest where it can be.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

// Of functions that have such loops.
inline constexpr char kReadBurstsAttribute[] = "microengine-read-bursts";

// Expects: reads of longwords, or of quadwords, whose alignment is that of their memory's unit;
// not yet expanded memory (LowerMemory.h). Does: single-block loops in which nothing may change
// what is read. Remarks say which bursts were formed, and which were too much code.
struct ReadBurstsPass : llvm::PassInfoMixin<ReadBurstsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace nplab::compiler
