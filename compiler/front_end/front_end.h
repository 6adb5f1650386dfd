// Clang, embedded: C text to LLVM IR. Only the translation units of this folder include Clang.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/front_end/source_inputs.h"
#include "compiler/options/compile_options.h"
#include "support/diagnostics.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace nplab::compiler {

// Where the files of the compiler's own lie that no user has: microengine.h and the runtime.
inline constexpr const char* kOwnFolder = "/microengine/";

// Told the place of each token of the source, before Clang uses it.
using AtToken = std::function<void(const SourceLocation& place)>;

// Errors go to `diagnostics`, warnings to `warnings`, and what was read besides the source to
// `inputs`; null after an error.
std::unique_ptr<llvm::Module> parse_c(const std::string& source, const std::string& file,
                                      const CompileOptions& options, llvm::LLVMContext& context,
                                      Diagnostics& diagnostics, std::vector<Diagnostic>& warnings,
                                      std::vector<SourceInput>& inputs, const AtToken& at_token);

}  // namespace nplab::compiler
