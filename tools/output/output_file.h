// Output as the options name it: files, which appear whole or not at all, and standard output.
#pragma once

#include <string>
#include <string_view>

#include "support/diagnostics.h"

namespace nplab::tools {

// Whether an output may take the place of a file that this command has read.
enum class Replaces { kNoInput, kItsInput };

// Reports when the file cannot be written, or is an input of this command; `path` `-` is standard
// output.
void write_output_file(const std::string& path, std::string_view contents, Diagnostics& diagnostics,
                       Replaces replaces = Replaces::kNoInput);

// Reports, before long work starts, when a file could not be written there, is an input of this
// command, or is given for two outputs.
void check_output_file(const std::string& path, Diagnostics& diagnostics);

// Says so on standard error when something printed was lost, as on a full disk.
bool is_output_written();

}  // namespace nplab::tools
