// Output as the options name it: files, which appear whole or not at all, and standard output.
#pragma once

#include <string>
#include <string_view>

#include "support/diagnostics.h"

namespace nplab::tools {

// Reports when the file cannot be written; `path` `-` is standard output.
void write_output_file(const std::string& path, std::string_view contents,
                       Diagnostics& diagnostics);

// Reports, before long work starts, when a file could not be written there.
void check_output_file(const std::string& path, Diagnostics& diagnostics);

// Says so on standard error when something printed was lost, as on a full disk.
bool is_output_written();

}  // namespace nplab::tools
