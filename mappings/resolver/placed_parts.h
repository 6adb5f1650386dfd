// The stages and queues of a placement, from a linked mapping and a plan of its tasks.
#pragma once

#include <vector>

#include "mappings/resolver/placement.h"
#include "mappings/resolver/task_plan.h"

namespace nplab::mappings {

std::vector<Stage> make_stages(const LinkedMapping& linked, const TaskPlan& plan);

// With their instances, which have no bases yet.
std::vector<Queue> make_queues(const LinkedMapping& linked, const TaskPlan& plan);

// Every tuning key, with the mapping's value or its default.
std::vector<TuningValue> tuning_values(const MappingFile& mapping);

}  // namespace nplab::mappings
