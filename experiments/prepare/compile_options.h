// Compiler options that follow from names in files and from the chip.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/compiler.h"

namespace nplab::experiments {

// The optimization level called 0, 1, 2, s or published in mapping files and on the command line.
std::optional<compiler::Optimization> optimization_named(const std::string& name);

// The cache of compiled programs; nothing where the user has none or wants none.
std::optional<ContentCache> program_cache();

// Folders that hold microengine.h and the engines' library.
std::vector<std::string> library_folders();

// Tells microengine.h how the chip numbers its threads, given the number of contexts per engine.
void add_thread_bits(unsigned contexts, compiler::CompileOptions& options);

}  // namespace nplab::experiments
