// What a record says of its chip's caches: a table, and what must hold among the counts.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports {

// A row for all caches before a memory and one for each; empty without caches.
Table caches_table(const RunRecord& record);

// Shares of look-ups and of the run's cycles, from the counts.
void fill_caches(std::vector<CachesRecord>& caches, Count cycles);

// Adds a sentence for each sum that does not hold.
void check_caches(const RunRecord& record, std::vector<std::string>& broken);

}  // namespace nplab::reports
