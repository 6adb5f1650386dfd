// Mapping files as text: what a program made is written with the keys that the reader takes.
#pragma once

#include <string>
#include <vector>

#include "mappings/files/mapping_file.h"

namespace nplab::mappings {

// The file's text, which read_mapping_file reads back to the same values. `comments` stand above
// it, a line each; keys at their default value are left out.
std::string mapping_text(const MappingFile& mapping, const std::vector<std::string>& comments);

// A task as a mapping lists it: `act`, `lookup[0]`, `lookup[1..]`.
std::string to_string(const TaskSelection& selection);

}  // namespace nplab::mappings
