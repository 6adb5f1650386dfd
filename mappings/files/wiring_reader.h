// The stages and queues of a mapping file.
#pragma once

#include "mappings/files/mapping_file.h"
#include "support/yaml.h"

namespace nplab::mappings {

// Reads `stages` and `queues` of the mapping's YAML into `mapping`; clears is_wiring_whole where
// something is missing.
void read_wiring(const yaml::Node& root, MappingFile& mapping, Diagnostics& diagnostics);

}  // namespace nplab::mappings
