// What a record says of a DDR4 memory: a table, and what must hold among the counts.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports {

// A row for all channels and one for each, of the SDRAM and of a match unit's memory; empty without
// DDR4.
Table dram_table(const RunRecord& record);

// Shares of bursts and of the memory's clocks, from the counts.
void fill_dram(DramRecord& dram);

// Adds a sentence for each sum that does not hold.
void check_dram(const DramRecord& dram, std::vector<std::string>& broken);

}  // namespace nplab::reports
