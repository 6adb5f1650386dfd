// Do the gains that a run's verdict estimates come true? Each resource of a mapping is made free in
// a run of its own, and what that gave is set beside what the record of the plain run said.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::experiments {

struct BoundBenchOptions {
  std::vector<std::string> mappings;  // listed names or files
  std::uint64_t packets = 5000;
};

// One resource of one mapping: packets/s more without it, in percent.
struct GainCheck {
  std::string mapping;
  std::string resource;
  double estimated_pct = 0;
  double simulated_pct = 0;
  bool is_bound = false;  // the verdict names it

  // Of the estimated rate, relative to the simulated one, in percent.
  [[nodiscard]] double error_pct() const {
    return 100 * ((100 + estimated_pct) / (100 + simulated_pct) - 1);
  }
};

// Every station, memory, the ports, aborts and polling of each mapping. Empty, and a diagnostic,
// when a mapping cannot be prepared; runs that fail are reported and left out.
std::vector<GainCheck> check_gains(const BoundBenchOptions& options,
                                   const std::function<void(double)>& progress,
                                   Diagnostics& diagnostics);

// The same as JSON, schema nplab.bench.bounds/1, with how many are within 10 % and how often the
// verdict names the resource that gives most.
nlohmann::ordered_json bench_bounds(const BoundBenchOptions& options,
                                    const std::function<void(double)>& progress,
                                    Diagnostics& diagnostics);

}  // namespace nplab::experiments
