// Run records as CSV.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Every figure of every table of every run in long form, one a line, under the heading
// `table,run,row,column,value,unit`. Numbers keep full precision; a figure that does not apply is
// empty; fields with commas, quotes or newlines are quoted (RFC 4180, with plain newlines).
std::string render_csv(const std::vector<RunRecord>& records);

}  // namespace nplab::reports
