// One or several runs as one self-contained HTML page: tables, charts, stage graph, memory map,
// annotated source.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// A page that loads nothing: style, script and chart library are inside. Without the script it
// still holds every figure as a table.
std::string render_html(const std::vector<RunRecord>& records);

}  // namespace nplab::reports
