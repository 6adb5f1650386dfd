// Parts of the text on a run that several reports have. Private to reports.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Work that stands for code that was not printed, in percent of the cycles of all engines that run
// a program.
double calibration_share(const RunRecord& record);

// The command-line options that decide what was simulated.
std::string options_line(const RunRecord& record);

// Resources that cost nothing; empty when there are none.
std::string without_line(const RunRecord& record);

// What the run was of: mapping, chip, rules, traffic, options, and what its figures rest on.
std::string inputs_text(const RunRecord& record, std::size_t width);

// Whether every check held, and how the run failed.
std::string verification(const RunRecord& record, const std::string& name, std::size_t width);

// A sentence a line or more.
std::string sentences_text(const std::vector<std::string>& sentences, std::size_t width);

}  // namespace nplab::reports
