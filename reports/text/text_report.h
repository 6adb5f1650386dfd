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

// Several runs on one screen, in at most 120 columns: the table that a mapping is chosen by, the
// verdict, the tables of the published experiment (rates and memories; the engines), what the runs
// share and rest on, and whether every check held.
std::string render_compare(const std::vector<RunRecord>& records);

// The verdict's table and sentences, as render_compare begins.
std::string render_verdict(const std::vector<RunRecord>& records);

// Every figure of several runs side by side, each further run with its differences from the first,
// absolute and in percent. Three runs fit 120 columns; more are printed in blocks that repeat the
// first run. Ports and queues are left to render_run.
std::string render_all_figures(const std::vector<RunRecord>& records);

// One run as render_run, several as render_compare; with all figures, render_verdict and
// render_all_figures.
enum class Figures { kChosenBy, kAll };
std::string render_runs(const std::vector<RunRecord>& records, Figures figures);

// The runs beside the published IXP1200 measurements of 2003, with the ratio ours / published;
// figures further than 15 % from it are marked. A mapping that the published tables here do not
// have is printed alone, saying so, or beside the ranges that a calibration predicts; `ranges` may
// be null.
std::string render_published(const std::vector<RunRecord>& records,
                             const PredictionRanges* ranges = nullptr);

}  // namespace nplab::reports
