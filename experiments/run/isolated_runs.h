// Runs of several experiments, each in a process of its own: a crash in one harms no other, and
// as many run at a time as the machine has processors.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/run_record.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// As many as the machine has processors.
std::size_t processors();

// One run: reports its progress, 0 to 1, and returns its record.
struct IsolatedRun {
  std::string name;  // in diagnostics
  std::function<reports::RunRecord(const std::function<void(double)>& progress)> run;
};

// The records in the order of the runs; `progress` is given the share of all work that is done.
// Nothing, and a diagnostic, when a process cannot be started or ends without a record.
std::optional<std::vector<reports::RunRecord>> run_isolated(
    const std::vector<IsolatedRun>& runs, const std::function<void(double)>& progress,
    Diagnostics& diagnostics, std::size_t at_once = processors());

// The same, where each run stands for itself: nothing, and a diagnostic, in the place of a run
// whose process ended without a record, and of all runs that were not over when a process could not
// be started.
std::vector<std::optional<reports::RunRecord>> run_isolated_each(
    const std::vector<IsolatedRun>& runs, const std::function<void(double)>& progress,
    Diagnostics& diagnostics, std::size_t at_once = processors());

}  // namespace nplab::experiments
