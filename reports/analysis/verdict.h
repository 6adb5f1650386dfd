// A run, or several compared ones, in a few sentences: how fast, what bounds it, what comes next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports {

// Rate, latency, what bounds the run, what bounds it then, and what removing the bound would give:
// a sentence each. Nothing where bounds_of (bounds.h) is nothing.
std::optional<VerdictRecord> verdict_of(const RunRecord& record);

// The run that transmits most; of those within half a percent of it, the one on fewest engines,
// then with the least 99th percentile of latency. Sentences: which is best and by how much, where
// the others lose their packets, what bounds each, and what costs them more. Nothing when no run
// sent anything.
std::optional<VerdictRecord> verdict_of(const std::vector<RunRecord>& records);

// A row each for what a mapping is chosen by, a column a run.
Table verdict_table(const std::vector<RunRecord>& records);

}  // namespace nplab::reports
