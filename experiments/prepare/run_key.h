// The name of a run in a store of results: a digest of all that its record depends on.
#pragma once

#include <optional>
#include <string>

#include "experiments/prepare/experiment_options.h"
#include "reports/record/lean_record.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// 64 hexadecimal digits, of: the build of this program, the texts of the mapping, the chip (with
// what it extends), the workload, rules, traffic, updates, profile and units, the engine C and
// manifests that the programs are made of, the options, and how much the record holds. Programs and
// tables follow from these and are not made for it. `--mode` and the bounds of compiling change no
// result and are left out. Equal runs that are written in different words (`--set` in another
// order) may have different keys; different runs never have the same one. Nothing, and diagnostics,
// when a file is missing or wrong.
std::optional<std::string> run_key(const std::string& mapping, const ExperimentOptions& options,
                                   reports::RecordDetail detail, Diagnostics& diagnostics);

}  // namespace nplab::experiments
