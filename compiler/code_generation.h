// From optimised IR to assembly text or an object, once the program's frame and registers are
// settled.
#pragma once

#include <optional>
#include <string>

#include "compiler/generation_attempt.h"

namespace llvm {
class Module;
}

namespace nplab::compiler {

// Runs the pipeline on the module, then generates code with less and less freedom until the program
// fits in the registers. Nothing is returned after an error.
std::optional<std::string> generate_code(llvm::Module& module, const std::string& file,
                                         const CompileOptions& options, OutputKind kind,
                                         Diagnostics& diagnostics, CompileReport& report);

}  // namespace nplab::compiler
