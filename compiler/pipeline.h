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

void run_pipeline(llvm::Module& module, llvm::TargetMachine& target, const CompileOptions& options,
                  Inlining inlining, Diagnostics& diagnostics);

}  // namespace nplab::compiler
