// Variables declared __shared live in absolute registers, which all threads of an engine see. They
// get numbers after those that the program uses as shared_read(n); what cannot be done with a
// register is an error at its line.
#pragma once

#include "llvm/IR/Module.h"
#include "support/diagnostics.h"

namespace nplab::compiler {

void lower_shared_variables(llvm::Module& module, const std::string& file,
                            Diagnostics& diagnostics);

}  // namespace nplab::compiler
