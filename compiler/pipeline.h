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

// What a program may be compiled with in more than one way. Other levels than -Os have one form of
// loops, the first of each.
struct PipelineChoice {
  Inlining inlining = Inlining::kEverything;
  LoopTest test = LoopTest::kLast;
  LoopCounter counter = LoopCounter::kIndices;
};

void run_pipeline(llvm::Module& module, llvm::TargetMachine& target, const CompileOptions& options,
                  const PipelineChoice& choice, Diagnostics& diagnostics);

}  // namespace nplab::compiler
