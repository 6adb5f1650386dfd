// What the table builders cost on generated rule sets: processor time and memory, or why a set is
// refused.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/prepare/experiment.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

struct BuilderBenchOptions {
  std::vector<std::string> mappings{"abv-data", "hicuts-data", "tss-data", "tm-data"};
  std::vector<std::string> profiles{"acl", "fw", "ipc"};  // of generated rules
  std::size_t count = 10000;                              // rules of a set
  std::uint64_t seed = 1;
};

// JSON, schema nplab.bench_builders/1: a row for each profile and mapping; null, and diagnostics,
// when a name is unknown.
nlohmann::ordered_json bench_builders(const BuilderBenchOptions& options,
                                      const PreparationProgress& progress,
                                      Diagnostics& diagnostics);

}  // namespace nplab::experiments
