// Short names of runs, for headings and columns.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// The short name of a run: its mapping's file name without folders and endings.
std::string mapping_name(const RunRecord& record);

// The short names of several runs; the second of a name becomes `name#2`.
std::vector<std::string> run_names(const std::vector<RunRecord>& records);

}  // namespace nplab::reports
