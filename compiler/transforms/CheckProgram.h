// What the microengine cannot do, refused at its source line before anything is transformed.
#pragma once

#include "llvm/IR/DebugLoc.h"
#include "support/diagnostics.h"

namespace llvm {
class Function;
class GlobalObject;
class Module;
}  // namespace llvm

namespace nplab::compiler {

// The place of an instruction as the compiler was given it, or of its function when it has none.
SourceLocation location_of(const llvm::DebugLoc& location, const llvm::Function& function);

// Where a function or variable is declared; the beginning of `file` when the source does not say.
SourceLocation declared_at(const llvm::GlobalObject& object, const std::string& file);

// The front end keeps that place with each: file, line, column.
inline constexpr const char* kPlaceMetadata = "nplab.place";

// Of functions that are declared __may_spill.
inline constexpr const char* kMaySpillAttribute = "nplab-may-spill";

inline constexpr const char* kAtomicsRefused =
    "atomic operations of C: use scratch_incr, the test_and_set intrinsics or sram_read_lock";

// Reports recursion, calls through pointers, variable arguments, floating point, dynamic
// allocation, inline assembly, atomics, computed jumps, undefined functions and a main that is
// missing or takes arguments.
void check_program(const llvm::Module& module, const std::string& file, Diagnostics& diagnostics);

}  // namespace nplab::compiler
