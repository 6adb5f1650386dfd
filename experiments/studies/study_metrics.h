// The figures of a run that a study looks at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::experiments {

// Names that stand alone; besides, `references.TABLE` (references a packet to a table),
// `table_bytes.TABLE` and `built.FACT` (what the table builder says).
const std::vector<std::string>& study_metric_names();
bool is_study_metric(const std::string& name);

// The figure; nothing when the run does not have it, such as the references of a table that its
// algorithm lacks.
std::optional<double> study_metric(const std::string& name, const reports::RunRecord& record);

}  // namespace nplab::experiments
