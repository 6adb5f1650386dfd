// What the compiler achieves: cycles of the published experiment by optimization level, compile
// time and code size.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "support/diagnostics.h"

namespace nplab::experiments {

// JSON, schema nplab.bench_compiler/1; `packets` is the length of the runs. A part that failed is
// null, with a diagnostic where there is more to say.
nlohmann::ordered_json bench_compiler(std::uint64_t packets, Diagnostics& diagnostics);

}  // namespace nplab::experiments
