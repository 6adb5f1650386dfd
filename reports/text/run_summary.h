// Many runs at a glance: a line each, with what an algorithm is chosen by. Private to reports.
#pragma once

#include <string>
#include <vector>

#include "reports/tables/table.h"

namespace nplab::reports {

// `names` and `runs` (the tables of each) go together.
std::string render_summary(const std::vector<std::string>& names,
                           const std::vector<std::vector<Table>>& runs);

}  // namespace nplab::reports
