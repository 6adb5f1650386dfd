// What clangd needs to read microengine C: flags, and the headers that the compiler has inside.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::tools {

// Writes compile_flags.txt and .nplab/include to the folder and returns what was written, by its
// path within the folder: the flags and the headers' folder. An existing compile_flags.txt is an
// error, and nothing is written.
std::vector<std::string> write_clangd_settings(const std::filesystem::path& folder,
                                               Diagnostics& diagnostics);

}  // namespace nplab::tools
