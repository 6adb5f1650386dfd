// Runs beside the published measurements, and beside the ranges of the calibration that comes with
// the program.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::tools {

// As reports::render_published; a result of the calibration that cannot be read is told on standard
// error.
std::string published_text(const std::vector<reports::RunRecord>& records);

}  // namespace nplab::tools
