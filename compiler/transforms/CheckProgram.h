// What the microengine cannot do, refused at its source line before anything is transformed.
#pragma once

#include "llvm/IR/DebugLoc.h"
#include "support/diagnostics.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace nplab::compiler {

// The place of an instruction as the compiler was given it, or of its function when it has none.
SourceLocation location_of(const llvm::DebugLoc& location, const llvm::Function& function);

// Reports recursion, calls through pointers, variable arguments, floating point, dynamic
// allocation, inline assembly, atomics, computed jumps, undefined functions and a main that is
// missing or takes arguments.
void check_program(const llvm::Module& module, const std::string& file, Diagnostics& diagnostics);

}  // namespace nplab::compiler
