// Fronts: what the packets of any mapping meet before the algorithm's tasks and after them, such as
// a cache of flows. A front is a folder with front.yaml, a manifest of two tasks: the first looks
// the packet up, the second keeps the verdict.
#pragma once

#include "mappings/files/manifest.h"
#include "mappings/files/mapping_file.h"

namespace nplab::mappings {

// The metadata of a front that says whether it knew the verdict: 1 if it did.
inline constexpr const char* kAnsweredMetadata = "flow";

// Joins a front to a mapping and its algorithm: the manifest gets the front's parameters, tables,
// metadata, tasks and limits; stages that take packets from receive begin with its first task, and
// stages that hand them to transmit end with its second. Reports a mapping whose packets take
// several ways at once.
void join_front(const Manifest& front, MappingFile& mapping, Manifest& manifest,
                Diagnostics& diagnostics);

}  // namespace nplab::mappings
