// The name of a compilation in the cache of compiled programs.
#pragma once

#include <optional>
#include <string>

#include "compiler/options/compile_options.h"

namespace nplab::compiler {

// A digest of all that a compilation depends on, except the files that it includes
// (source_inputs.h): the builds of this compiler and of LLVM, what is made, the source, its name,
// the working directory, and the options. Nothing for what is not kept: remarks, runs with the
// verifier, sources that name the time, and programs whose build is unknown.
std::optional<std::string> program_key(const std::string& made, const std::string& source,
                                       const std::string& file, const CompileOptions& options);

}  // namespace nplab::compiler
