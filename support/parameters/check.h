// Checks a parsed file against the description of its keys: unknown and missing keys, types and
// ranges. What depends on several values, the file's reader checks afterwards.
#pragma once

#include <string>
#include <string_view>

#include "support/diagnostics.h"
#include "support/parameters/description.h"
#include "support/yaml.h"

namespace nplab::parameters {

// Reports everything that does not fit the description, each at its own place.
void check(const yaml::Node& root, const KeyMap& map, Diagnostics& diagnostics);

// Whether the key's value is there, if it must be, and fits.
bool fits(const yaml::Node& map, const Key& key);

// `a whole number`, `one of drop, wait`, `a list`: what a value must be, for messages and tables.
std::string type_text(const Value& value);

// `1 to 64`, `at least 1`; empty without bounds.
std::string range_text(const Integer& integer);

bool is_identifier(std::string_view word);

}  // namespace nplab::parameters
