// The charts of the HTML report as the tables they are drawn from: rows are categories or points in
// time, columns are series; of a distribution, a row is an upper bound. The page's script draws
// what the tables hold and nothing else. Private to reports.
#pragma once

#include <string>
#include <vector>

#include "reports/html/elements.h"
#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports::html {

struct Figure {
  enum class Kind { kBars, kStacked, kLines, kDistribution };
  Kind kind{};
  std::string unit;   // of every figure in the table
  std::string note;   // how to read it; may be empty
  std::string label;  // of the categories or of the horizontal axis
  Table table;        // `id` and `title` are the figure's
};

// The figure as an element of a page whose identifiers begin with `prefix`; `of`: the run that it
// is of, or nothing for one of all runs.
std::string figure_html(const Figure& figure, const std::string& prefix, const std::string& of,
                        Elements& elements);

// Rates, packets, drops and packet latency of all runs, and of several the activity of memories; a
// series a run.
std::vector<Figure> comparison_figures(const std::vector<RunRecord>& records);

// Every engine, memory bus and direction of the ports by use, the bound marked; no rows when the
// record has no bound.
Figure resources_figure(const RunRecord& record, const std::string& name);

// Engine time by use and cause, thread time, and the run over time.
std::vector<Figure> run_figures(const RunRecord& record);

}  // namespace nplab::reports::html
