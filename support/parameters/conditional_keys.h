// Keys that exist only with one value of a choice: whoever chooses anew does not inherit the keys
// of the value that was chosen before.
#pragma once

#include "support/parameters/description.h"
#include "support/yaml.h"

namespace nplab::parameters {

// Takes out of `base` the keys that exist only with another value than `over` gives a choice.
void drop_replaced_keys(yaml::Node& base, const yaml::Node& over, const KeyMap& map);

// The same after overrides of the command line: a choice that one of them made drops the keys that
// come from files.
void drop_overridden_keys(yaml::Node& root, const KeyMap& map);

}  // namespace nplab::parameters
