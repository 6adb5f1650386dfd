// Cycles of compiled kernels beside those of the same kernels written by hand.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "support/diagnostics.h"

namespace nplab::experiments {

// JSON: for each kernel of hand_written_kernels.h the cycles from the first instruction to the end
// of the thread, alone on the chip `test`, at -O2 and by hand, and their ratio. Null, and
// diagnostics, when a form does not run or the two disagree in their result.
nlohmann::ordered_json bench_hand_written(Diagnostics& diagnostics);

}  // namespace nplab::experiments
