// C's atomic operations become the units' own: longwords of SRAM and scratch are read and written
// whole, and their bits set and cleared, in one reference; scratch adds one. What a unit cannot do
// in one reference is an error that says how.
#pragma once

#include "llvm/IR/Module.h"
#include "support/diagnostics.h"

namespace nplab::compiler {

void lower_atomics(llvm::Module& module, Diagnostics& diagnostics);

}  // namespace nplab::compiler
