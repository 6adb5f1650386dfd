// Every figure of several runs side by side. Private to reports.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Each further run with its differences from the first; three a block, and of more runs a line each
// at the end.
std::string compared_figures(const std::vector<RunRecord>& records);

}  // namespace nplab::reports
