// References that do not block (sram_read4_start, ...): what arrives may be used after the
// ctx_wait for the unit's event, and what departs must hold still until then. Every way through the
// program is followed from each such reference to its wait; what is wrong is an error at its line.
// Then each result is tied to its wait: uses take the value that the wait gives, so that no later
// pass moves them in front of it.
#pragma once

#include <string>

#include "llvm/IR/Module.h"
#include "support/diagnostics.h"

namespace nplab::compiler {

// Whether the program has such references; only then the pass is needed.
bool has_started_references(const llvm::Module& module);

// On main alone, with everything inlined and values in registers.
void tie_signals(llvm::Function& main, unsigned default_space, Diagnostics& diagnostics);

}  // namespace nplab::compiler
