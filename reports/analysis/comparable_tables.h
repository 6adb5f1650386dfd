// Tables of runs that may differ in length.
#pragma once

#include <vector>

#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports {

// tables_of, with rates in the place of counts that grow with the run: packets per second, shares
// of the offered packets, and cycles, instructions and references per received packet. Ids stay.
std::vector<Table> comparable_tables_of(const RunRecord& record);

}  // namespace nplab::reports
