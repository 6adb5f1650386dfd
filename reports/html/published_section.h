// A run beside the published measurements, on its page. Private to reports.
#pragma once

#include <string>

#include "reports/html/elements.h"
#include "reports/record/run_record.h"

namespace nplab::reports::html {

// Open when the run is as long as the published one, so that its counts compare too. Empty for a
// mapping that is not published.
std::string published_section(const RunRecord& record, const std::string& name, Elements& elements);

}  // namespace nplab::reports::html
