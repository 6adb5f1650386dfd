// Per-line cycle counts of a run, from the engines' per-word counts.
#pragma once

#include <vector>

#include "isa/program_image.h"
#include "reports/run_record.h"
#include "simulator/engine_counters.h"

namespace nplab::tools {

// The lines of one engine's program with any cycles, in the order of files and lines. A word lies in a poll loop when it
// stands between the annotations poll_begin and poll_end.
std::vector<reports::Line> line_table(unsigned engine, const isa::ProgramImage& image,
                                      const simulator::EngineCounters& counters);

}  // namespace nplab::tools
