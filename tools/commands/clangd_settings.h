// What clangd needs to read microengine C: flags, and the headers that the compiler has inside.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::tools {

// Writes compile_flags.txt and .nplab/include to the folder and returns what was written, by its
// path within the folder. With mappings, also .clangd and .nplab/preludes, by which tasks are read
// as the first of these mappings has them. `chip`: as of `nplab run`; empty: each mapping's.
// Existing settings and wrong mappings are errors, and nothing is written.
std::vector<std::string> write_clangd_settings(const std::filesystem::path& folder,
                                               const std::vector<std::string>& mappings,
                                               const std::string& chip, Diagnostics& diagnostics);

}  // namespace nplab::tools
