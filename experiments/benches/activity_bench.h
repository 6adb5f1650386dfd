// Whether the work of simulating follows the activity of the engines: the same program runs on all
// engines of a chip multiprocessor, and on a quarter of them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "support/diagnostics.h"

namespace nplab::experiments {

// JSON, schema nplab.bench.activity/1; null, and a diagnostic, when host instructions cannot be
// counted. `program` is the nplab command that callgrind measures.
nlohmann::ordered_json bench_activity(const std::string& program, Diagnostics& diagnostics);

}  // namespace nplab::experiments
