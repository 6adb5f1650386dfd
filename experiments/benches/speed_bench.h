// How fast the simulator is on this host. Every run is a process of its own, as a user would start
// it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::experiments {

struct SpeedBenchOptions {
  std::string program;  // the nplab command that is measured
  std::vector<std::string> mappings;
  std::uint64_t packets = 20000;   // length of the timed runs
  bool count_instructions = true;  // with callgrind, if it is installed
};

// JSON, schema nplab.bench/1: of each mapping the speed and memory in every mode, and `same_state`,
// whether all modes ended in the same state. Null, and a diagnostic, when a run fails.
nlohmann::ordered_json bench_speed(const SpeedBenchOptions& options, Diagnostics& diagnostics);

}  // namespace nplab::experiments
