// Several mappings under the same options, simulated side by side: what `nplab run` does with one
// mapping and `nplab compare` with many.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/run/prepared_run.h"
#include "reports/record/run_record.h"

namespace nplab::experiments {

// Changes the options of a mapping before it is prepared. False: it is left out, and why is
// reported.
using AdjustOptions = std::function<bool(const std::string& mapping, ExperimentOptions& options)>;

// Prepares each mapping, which parse_chosen_mapping reads. All errors of all mappings at once;
// those that have none are returned.
std::vector<PreparedRun> prepare_runs(const std::vector<std::string>& mappings,
                                      const ExperimentOptions& options, Diagnostics& diagnostics,
                                      const PreparationProgress& progress = {},
                                      const AdjustOptions& adjust = {});

// The folder of each run's captures: `folder` itself for a single run, else one below it that is
// named as reports name the run; all empty when `folder` is.
std::vector<std::string> capture_folders(const std::vector<PreparedRun>& runs,
                                         const std::string& folder);
// Makes these folders. One that cannot be made is reported.
void make_capture_folders(const std::vector<PreparedRun>& runs, const std::string& folder,
                          Diagnostics& diagnostics);

// The records in the order of the runs, with `outputs` for each; its captures are for
// capture_folders to place. As run_isolated reports failures and progress.
std::optional<std::vector<reports::RunRecord>> simulate_runs(
    const std::vector<PreparedRun>& runs, const RunOutputs& outputs,
    const std::function<void(double)>& progress, Diagnostics& diagnostics);

}  // namespace nplab::experiments
