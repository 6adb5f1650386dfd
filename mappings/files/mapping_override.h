// Carries out `--set` on a mapping's YAML.
#pragma once

#include "mappings/files/mapping_file.h"
#include "support/yaml.h"

namespace nplab::mappings {

// A path whose parents do not exist is reported, with the names that do.
void apply_override(const MappingOverride& override, yaml::Node& root, Diagnostics& diagnostics);

}  // namespace nplab::mappings
