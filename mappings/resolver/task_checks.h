// Are the tasks of a mapping the right ones, in the right order?
#pragma once

#include "mappings/resolver/task_plan.h"

namespace nplab::mappings {

// Does every task selection name a task of the manifest, with dimensions only where the task has
// them? Reports each that does not.
void check_task_names(const MappingFile& mapping, const Manifest& manifest,
                      Diagnostics& diagnostics);

// Does every packet meet every task, and every dimension of it, exactly once, and read no metadata
// before it is written? For rules of so many dimensions; the mapping's wiring is whole and free of
// cycles.
void check_tasks(const LinkedMapping& linked, const StageCalls& calls, std::size_t dimensions,
                 Diagnostics& diagnostics);

}  // namespace nplab::mappings
