// What a record says of a match unit beside the engines: a table, and what must hold among the
// counts.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports {

// Empty where no match unit is used.
Table match_table(const RunRecord& record);

// Means and shares, from the counts.
void fill_match(MatchRecord& match);

// Adds a sentence for each sum that does not hold.
void check_match(const RunRecord& record, std::vector<std::string>& broken);

}  // namespace nplab::reports
