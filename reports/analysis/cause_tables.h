// Tables of what cycles went to, by cause, and of references by who issued them. Private to
// reports.
#pragma once

#include <vector>

#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports {

// Of engines: stalled cycles by what held the instruction. Of threads: waiting cycles by what is
// waited for, and what each did while its engine was idle. Of memories: references and longwords by
// where they are at the stop and who issued them. Of source lines: every cause, and every unit
// referred to, a row each. Tables of which an older record knows nothing have no rows.
std::vector<Table> cause_tables(const RunRecord& record);

}  // namespace nplab::reports
