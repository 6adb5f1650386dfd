// Code size of small kernels, beside what clang makes of them for other machines.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "support/diagnostics.h"

namespace nplab::experiments {

// JSON: instructions of each kernel here and on the other machines (null without clang-19), and the
// geometric mean of the ratios. Null, and diagnostics, when a kernel does not compile here.
nlohmann::ordered_json bench_code_size(Diagnostics& diagnostics);

}  // namespace nplab::experiments
