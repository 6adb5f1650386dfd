// A collected timeline as the run record has it.
#pragma once

#include <optional>

#include "reports/run_record.h"
#include "simulator/thread_timeline.h"

namespace nplab::tools {

// Slices of one source line and state behind each other are one; threads that were off all the time are left out, and
// queues that were empty. Nothing when the run ended before the first range.
std::optional<reports::Timeline> timeline_record(const simulator::ThreadTimeline& timeline);

}  // namespace nplab::tools
