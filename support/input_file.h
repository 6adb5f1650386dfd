// Input files, read whole; `.xz` is unpacked as it is read (told by content, not by name).
#pragma once

#include <optional>
#include <string>

#include "support/diagnostics.h"

namespace nplab {

struct InputFile {
  std::string name;    // as the user gave it
  std::string bytes;   // unpacked
  std::string sha256;  // of the file as it lies on disk, in hexadecimal
};

// Reads `path`. A file that cannot be read, or a damaged .xz, is reported and gives nothing.
std::optional<InputFile> read_input_file(const std::string& path, Diagnostics& diagnostics);

// Its `sha256` alone. A file that this process has read for it and that has not changed since is
// not read again.
std::optional<std::string> digest_of_file(const std::string& path, Diagnostics& diagnostics);

// Whether this process has read the file that `path` leads to, by whatever name.
bool was_read(const std::string& path);

}  // namespace nplab
