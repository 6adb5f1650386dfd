// nplab for programs: simulate a mapping and get the record of the run. What this header declares
// is enough for sweeps; the headers that it includes give the steps one by one.
#pragma once

#include <optional>
#include <string>

#include "experiments/prepare/experiment_options.h"
#include "reports/record/run_record.h"
#include "support/diagnostics.h"

namespace nplab {

// Prepares the mapping (a listed name or a file), compiles its programs, simulates it in a process
// of its own and checks every packet, as `nplab run` does. A run that failed has a record whose
// `failure` says why; nothing, and diagnostics, when the input is wrong or there is no process.
std::optional<reports::RunRecord> run_mapping(const std::string& mapping,
                                              const experiments::ExperimentOptions& options,
                                              Diagnostics& diagnostics);

}  // namespace nplab
