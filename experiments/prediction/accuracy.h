// How far predictions are off: every mapping is predicted and simulated, with several rule sets.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::experiments {

struct AccuracyOptions {
  std::vector<std::string> mappings;  // listed names or files
  std::vector<std::string> rules;     // files or SPECs; empty text: those of the workload
  // Of each simulation; one that does not reach its steady state is repeated at four times that.
  std::uint64_t packets = 20000;
};

// One mapping with one rule set. Rates are those of transmit, in Mb/s; the simulated one is that of
// the steady state.
struct ComparedRate {
  std::string mapping;
  std::string rules;
  std::string chip;
  double predicted = 0;
  double simulated = 0;
  bool steady = false;
  std::string predicted_bound;
  std::string verdict_bound;  // what the record of the simulation says
};

// Mappings that a rule set does not suit are left out; runs that fail are reported.
std::vector<ComparedRate> compare_rates(const AccuracyOptions& options,
                                        const std::function<void(double)>& progress,
                                        Diagnostics& diagnostics);

// JSON, schema nplab.bench.prediction/1, with claims: the aims, what was measured, and whether it
// held.
nlohmann::ordered_json accuracy_json(const std::vector<ComparedRate>& rates);

}  // namespace nplab::experiments
