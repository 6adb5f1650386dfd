// From optimised IR to assembly text or an object, once the program's frame and registers are
// settled.
#pragma once

#include <optional>
#include <string>

#include "compiler/compiler.h"

namespace llvm {
class Module;
}

namespace nplab::compiler {

enum class OutputKind { kAssembly, kObject };

// What the code generator runs on: the target machine of these options, and the module's data
// layout.
std::optional<std::string> generate_code(llvm::Module& module, const std::string& file,
                                         const CompileOptions& options, OutputKind kind,
                                         Diagnostics& diagnostics, CompileReport& report);

}  // namespace nplab::compiler
