// Run records as plain text: stable, aligned, without colour. Percentages are rounded to one
// decimal.
#pragma once

#include <string>
#include <vector>

#include "reports/analysis/prediction_ranges.h"
#include "reports/record/run_record.h"

namespace nplab::reports {

// One run, in at most 100 columns: its inputs, the published tables (overall and per microengine),
// packets, ports, memory references, queues, the simulation's speed, and whether every check held.
std::string render_run(const RunRecord& record);

// Several runs side by side, each further one with its differences from the first, absolute and in
// percent. Three runs fit 120 columns; more are printed in blocks that repeat the first run. Ports
// and queues are left to render_run.
std::string render_compare(const std::vector<RunRecord>& records);

// The runs beside the published IXP1200 measurements of 2003, with the ratio ours / published;
// figures further than 15 % from it are marked. A mapping that the published tables here do not
// have is printed alone, saying so, or beside the ranges that a calibration predicts; `ranges` may
// be null.
std::string render_published(const std::vector<RunRecord>& records,
                             const PredictionRanges* ranges = nullptr);

}  // namespace nplab::reports
