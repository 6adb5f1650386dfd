// The stage graph of a run with what its colours mean and the figures behind them. Private to
// reports.
#pragma once

#include <string>

#include "reports/html/elements.h"
#include "reports/record/run_record.h"

namespace nplab::reports::html {

// `run` is what its id begins with, `name` the run as readers know it. Nothing for a record without
// stages.
std::string stage_figure(const RunRecord& record, const std::string& run, const std::string& name,
                         Elements& elements);

}  // namespace nplab::reports::html
