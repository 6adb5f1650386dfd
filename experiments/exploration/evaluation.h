// Simulates points: each in a process of its own, checked packet by packet.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/exploration/journal.h"
#include "experiments/exploration/space.h"
#include "experiments/prepare/experiment_options.h"
#include "reports/record/run_record.h"

namespace nplab::experiments {

// What a run's record says of its mapping.
MappingFigures figures_of_run(const reports::RunRecord& record);

// What limits a run, by its record alone (reports/analysis/bounds.h); nothing where that is
// unknown.
Bound bound_of_run(const reports::RunRecord& record);

struct EvaluationInputs {
  const Space& space;
  ExperimentOptions options;  // of all runs, except for the packets
  const Journal& journal;     // each run's process appends its outcome
};

// Runs the jobs, as many at a time as there are processors, and returns their outcomes in their
// order; `progress` is given the share that is done.
std::vector<Outcome> run_jobs(const EvaluationInputs& inputs, const std::vector<Job>& jobs,
                              const std::function<void(double)>& progress);

// The same for a listed mapping or a file.
Outcome run_listed(const std::string& mapping, const ExperimentOptions& options);

}  // namespace nplab::experiments
