// The kinds of files that users write, and the description of each kind's keys.
#pragma once

#include <string>
#include <vector>

#include "support/parameters/description.h"

namespace nplab::tools {

struct FileKind {
  std::string name;
  const parameters::KeyMap* keys;
};

const std::vector<FileKind>& file_kinds();

}  // namespace nplab::tools
