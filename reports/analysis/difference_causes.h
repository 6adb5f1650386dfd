// Why one run is faster or slower than another, in sentences.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Sentences, the one that bounds the slower run first. A memory bounds a run when its bus is taken
// for nearly all of the time; else the engine that has the least time left, polling not counted.
// Said is how much more or less of it a packet takes, and the source lines from which that comes.
// Then the same of the other memories and engines whose difference is worth a sentence. Records
// without references by line (older ones) give none.
std::vector<std::string> difference_causes(const RunRecord& before, const RunRecord& after);

}  // namespace nplab::reports
