// The optimisation pipelines: from Clang's IR to one function main in terms that the code generator
// selects.
#pragma once

#include "compiler/backend/Microengine.h"
#include "compiler/compiler.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace nplab::compiler {

llvm::MicroengineAddressSpace::Space address_space_of(isa::MemorySpace space);

void run_pipeline(llvm::Module& module, llvm::TargetMachine& target, const CompileOptions& options,
                  Diagnostics& diagnostics);

}  // namespace nplab::compiler
