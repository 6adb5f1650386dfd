// Which tasks each stage runs, in order, and what a packet carries from stage to stage.
#pragma once

#include <vector>

#include "mappings/resolver/link.h"
#include "mappings/resolver/placement.h"

namespace nplab::mappings {

using StageCalls = std::vector<std::vector<TaskCall>>;  // by stage

struct TaskPlan {
  StageCalls calls;
  // The metadata that each stage needs of the packets that come to it: written before, read there
  // or later and not written in between; in the manifest's order.
  std::vector<std::vector<MetadataElement>> carried;
  // Of these, what decides that no rule matches when it is 0: the task that wrote it last says so.
  std::vector<std::vector<MetadataElement>> decisive;
};

// The plan for rules of so many dimensions. Dimensions that do not exist, tasks that are missing,
// used twice or in the wrong order, and branches that write the same metadata are reported.
TaskPlan plan_tasks(const LinkedMapping& linked, std::size_t dimensions, Diagnostics& diagnostics);

}  // namespace nplab::mappings
