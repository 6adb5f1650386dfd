// What must hold between cycles and their causes, references and their lines.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Appends a sentence for each broken sum, exact in integers: stalled cycles by cause, waiting and
// idle cycles of threads by what they wait for, of engines and of lines; the lines' references to a
// memory against those that it served and those under way. Older records, which have none of these,
// break nothing.
void check_attribution(const RunRecord& record, std::vector<std::string>& broken);

}  // namespace nplab::reports
