// The optimisation pipelines: from Clang's IR to main, and functions that it calls, in terms that
// the code generator selects.
#pragma once

#include "compiler/backend/Microengine.h"
#include "compiler/compiler.h"
#include "compiler/transforms/ChooseCalls.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace nplab::compiler {

llvm::MicroengineAddressSpace::Space address_space_of(isa::MemorySpace space);

// Where loops for size test whether they go on: last, with a copy of the test before the loop, or
// first, which saves the copy and costs a branch per round.
enum class LoopTest { kLast, kFirst };

// What loops for size count: their indices, or addresses that step on and rounds that are left.
enum class LoopCounter { kIndices, kSteps };

// How loops read arrays: as C says, or several rounds' elements in one burst, which takes more
// words.
enum class LoopReads { kEachRound, kInBursts };

// What a program may be compiled with in more than one way. Other levels than -Os have one form of
// tests and counters, the first of each; only -O2 reads in bursts.
struct PipelineChoice {
  Inlining inlining = Inlining::kEverything;
  LoopTest test = LoopTest::kLast;
  LoopCounter counter = LoopCounter::kIndices;
  LoopReads reads = LoopReads::kEachRound;
};

void run_pipeline(llvm::Module& module, llvm::TargetMachine& target, const CompileOptions& options,
                  const PipelineChoice& choice, Diagnostics& diagnostics);

}  // namespace nplab::compiler
