// The stage graph of a run with what went through it, for Graphviz, and drawn.
#pragma once

#include <string>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Mean cycles that an entry spends in a queue, by Little's law from its mean length over the
// samples: mean entries x cycles of the run / entries taken out. 0 when nothing was taken out or
// nothing was sampled.
double mean_wait(const RunRecord& record, const QueueRecord& queue);

// A node a stage with its threads, tasks and the use of its engines (executing share in older
// records); an edge a queue with packets a second, its mean length and wait. Empty when the record
// holds no stages.
std::string stage_graph_dot(const RunRecord& record);

// Draws a graph in Graphviz' language as an SVG element without an XML head. Empty when Graphviz
// cannot.
std::string drawn_svg(const std::string& dot);

}  // namespace nplab::reports
