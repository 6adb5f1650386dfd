// The description of a file's keys as a JSON Schema (draft 2020-12), for editors and validators.
#pragma once

#include <string>

#include "support/parameters/description.h"

namespace nplab::parameters {

// The schema as text. It takes what the reader takes as far as a schema can say it: not what
// depends on several values.
std::string json_schema(const KeyMap& map, const std::string& title);

}  // namespace nplab::parameters
