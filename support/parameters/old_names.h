// Keys that were renamed keep their old name: it is still read, with a warning that names the new
// one.
#pragma once

#include "support/diagnostics.h"
#include "support/parameters/description.h"
#include "support/yaml.h"

namespace nplab::parameters {

// Gives every key of `root` that stands under an old name its present one. A file that has both
// names is in error; an override by the old name replaces what the file says.
void rename_old_keys(yaml::Node& root, const KeyMap& map, Diagnostics& diagnostics);

}  // namespace nplab::parameters
