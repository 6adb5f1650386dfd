// The timeline of a run as the page's script draws it. Private to reports.
#pragma once

#include <string>

#include "reports/record/run_record.h"

namespace nplab::reports::html {

// `run` begins the ids of the run's parts of the page. Empty when the record tells nothing over
// time.
std::string timeline_figure(const RunRecord& record, const std::string& run,
                            const std::string& name);

}  // namespace nplab::reports::html
