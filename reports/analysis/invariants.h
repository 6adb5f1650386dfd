// What must hold in every run record, exact in integers.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Every invariant that `record` breaks, one sentence each with the numbers; empty when all hold.
// Engines' and threads' cycles add up to the run's; threads, branch classes and (when there are
// any) source lines add up to their engine; ports add up to the packet counts; every received
// packet is accounted for; no packet was classified, forwarded or copied wrongly.
std::vector<std::string> check_invariants(const RunRecord& record);

}  // namespace nplab::reports
