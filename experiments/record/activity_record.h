// A run's collected activity as the run record has it.
#pragma once

#include <vector>

#include "experiments/prepare/experiment.h"
#include "reports/record/activity.h"
#include "simulator/observe/run_activity.h"

namespace nplab::experiments {

// The numbers by which activity counts control-store words: of each engine's source lines, by use.
simulator::WordGroups words_by_line(const std::vector<CompiledProgram>& programs, unsigned engines);

// Of a run that was collected by these numbers. States that a thread was never in, and lines
// without cycles, are left out. Queues are the chip's and then the mapping's.
reports::Activity activity_record(const simulator::ActivitySeries& series,
                                  const mappings::Placement& placement,
                                  const std::vector<CompiledProgram>& programs);

}  // namespace nplab::experiments
