// Which threads of the chip run each stage.
#pragma once

#include <vector>

#include "mappings/resolver/link.h"
#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// The threads of every stage, in the mapping's order of stages, engines and contexts. Engines and
// contexts that the chip does not have or that are used twice are reported.
std::vector<std::vector<ThreadPlace>> assign_threads(const MappingFile& mapping,
                                                     const ChipFacts& chip,
                                                     Diagnostics& diagnostics);

}  // namespace nplab::mappings
