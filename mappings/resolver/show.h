// A placement for people: text, and the stage graph for Graphviz.
#pragma once

#include <string>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// Stages with threads and tasks, queues with rings, carried values and policies, and the memory map
// (purpose, memory, base, size). Stable text, without the generated programs.
std::string show_text(const Placement& placement);

// The stage graph in Graphviz' language: a node a stage, an edge a queue.
std::string show_dot(const Placement& placement);

// As the mapping file writes it.
const char* role_name(StageRole role);

}  // namespace nplab::mappings
