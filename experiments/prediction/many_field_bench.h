// Does the published model of classification by decomposition (prediction/many_field_model.h) hold
// here? It is fitted on two numbers of rules with one packet under way and compared with runs of
// more rules and of more packets under way.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::experiments {

struct ManyFieldBenchOptions {
  std::vector<std::size_t> fitted = {1024, 2048};  // rules; two of them
  std::vector<std::size_t> rules = {4096, 8192, 16384, 32768};
  std::vector<unsigned> under_way = {1, 2, 4, 8, 16, 32, 64};  // packets
  std::size_t loaded_rules = 4096;  // of the runs with several packets under way
  std::uint64_t packets = 2000;     // of each run
};

// With both optimisations and with none: every point measured and predicted, schema
// nplab.bench.many_field/1. Null, and a diagnostic, when a run cannot be prepared or fails.
nlohmann::ordered_json bench_many_field(const ManyFieldBenchOptions& options,
                                        const std::function<void(double)>& progress,
                                        Diagnostics& diagnostics);

}  // namespace nplab::experiments
