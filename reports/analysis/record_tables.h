// A run record as tables of cells: what every text, CSV and plot shows, in one place.
#pragma once

#include <vector>

#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports {

// The tables in the order of the report: overall, packets, steady, throughput, engines, ports,
// memory, queues, lookup, updates, host. Those that do not apply have no rows.
std::vector<Table> tables_of(const RunRecord& record);

// tables_of, and those too long for a text: threads, aborted cycles by branch class, source lines,
// and all of these by cause.
std::vector<Table> all_tables_of(const RunRecord& record);

}  // namespace nplab::reports
