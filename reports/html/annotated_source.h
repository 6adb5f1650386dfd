// Source lines with what they cost, as HTML. Private to reports.
#pragma once

#include <string>

#include "reports/html/elements.h"
#include "reports/record/run_record.h"

namespace nplab::reports::html {

// The costliest lines, each a link to its place, and after them every file that cost cycles,
// whole, with the figures beside its lines. `run` begins the ids of the page's anchors. Empty when
// the record has no lines.
std::string annotated_source(const RunRecord& record, const std::string& run, Elements& elements);

}  // namespace nplab::reports::html
