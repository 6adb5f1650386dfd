// One mapping with its programs compiled, ready to be simulated in a process of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/prepare/experiment.h"
#include "experiments/run/isolated_runs.h"
#include "experiments/run/timeline_request.h"
#include "experiments/run/trace_output.h"
#include "reports/record/lean_record.h"

namespace nplab::experiments {

struct PreparedRun {
  Experiment experiment;
  std::vector<CompiledProgram> programs;
};

// Prepares the mapping that `mapping` (a name or a file) names, and compiles its programs. All
// errors at once.
std::optional<PreparedRun> prepare_run(const std::string& mapping, const ExperimentOptions& options,
                                       Diagnostics& diagnostics,
                                       const PreparationProgress& progress = {});

// The kind of failure of a run that was refused before it began: wrong input, or no room for it.
inline constexpr const char* kRefusedInput = "input";

// A run from its preparation on, in its own process, where runs are too many to be prepared
// beforehand. Errors, of `simulate` too, are the failure of the record.
reports::RunRecord prepare_and_run(
    const std::string& mapping, const ExperimentOptions& options,
    const std::function<reports::RunRecord(const PreparedRun&, Diagnostics&)>& simulate);

// What a run writes and records besides its figures.
struct RunOutputs {
  std::string pcap_folder = {};  // empty: no captures
  std::optional<TraceRequest> trace = {};
  TimelineRequest timeline = {};
  reports::RecordDetail detail = reports::RecordDetail::kFull;
};

// The simulation of a prepared run, which must outlive it. Outputs that cannot be written are the
// failure of the record.
IsolatedRun isolated_run(const PreparedRun& prepared, RunOutputs outputs);

}  // namespace nplab::experiments
