// Chip files as the command reads them: a file may say only what differs from another, which it
// extends.
#pragma once

#include <optional>
#include <string>

#include "support/diagnostics.h"
#include "support/yaml.h"

namespace nplab::experiments {

struct ChipText {
  yaml::Node root;     // with all that was extended, and without the key that said so
  std::string sha256;  // of the file; of all digests, one after the other, where it extends another
};

// Reads the chip file at `path`. `extends: WORD` at its top names a listed chip, or a file by its
// path from this one's folder. A chip that extends itself, by whatever way, is an error.
std::optional<ChipText> read_chip_text(const std::string& path, Diagnostics& diagnostics);

}  // namespace nplab::experiments
