// The figures of a run that a study looks at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::experiments {

// What is wrong with a metric's name; empty when it is one. A metric is a name of the list in
// studies.md, `references.TABLE` (references per packet to a table), `table_bytes.TABLE`,
// `built.FACT` (what the table builder says), or the path of a number in the run record:
// `latency_cycles.p99`, `engines.0.executing`.
std::string study_metric_problem(const std::string& name);

// The figures of a run in the order of `names`; nothing where the run does not have one, such as
// the references of a table that its algorithm lacks.
std::vector<std::optional<double>> study_metrics(const std::vector<std::string>& names,
                                                 const reports::RunRecord& record);

}  // namespace nplab::experiments
