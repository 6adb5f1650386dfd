// Engine cycles for flame graphs, as collapsed stacks: a line each, frames joined by `;`, then a
// count.
#pragma once

#include <string>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Frames: run, engine with its role, file, line, state (executing, aborted, stalled); idle cycles
// stand under the engine. The counts of an engine add up to the run's cycles.
std::string render_collapsed_stacks(const RunRecord& record);

}  // namespace nplab::reports
