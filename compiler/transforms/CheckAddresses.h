// Constant addresses at which a reference would be a fault.
#pragma once

#include <vector>

#include "support/diagnostics.h"

namespace llvm {
class Module;
}

namespace nplab::compiler {

// A warning for each access whose address is a constant and not a multiple of what the access
// needs. Addresses that the program computes are not looked at.
void check_addresses(const llvm::Module& module, std::vector<Diagnostic>& warnings);

}  // namespace nplab::compiler
