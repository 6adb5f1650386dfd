// Runs of several experiments, each in a process of its own, since SystemC elaborates once a
// process; as many at a time as the machine has processors.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::experiments {

// One run: reports its progress, 0 to 1, and returns its record.
using IsolatedRun = std::function<reports::RunRecord(const std::function<void(double)>& progress)>;

// The records in the order of the runs. `progress` is told the share of all work that is done.
// Nothing when a run's process ended without a record; `broken` then names its number.
std::optional<std::vector<reports::RunRecord>> run_isolated(
    const std::vector<IsolatedRun>& runs, const std::function<void(double)>& progress,
    std::size_t& broken);

}  // namespace nplab::experiments
