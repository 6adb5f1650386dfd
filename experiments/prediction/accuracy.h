// How far predictions are off: every mapping is predicted and simulated, with several rule sets.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
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
  [[nodiscard]] double error_pct() const { return 100 * (predicted / simulated - 1); }
};

// Mappings that a rule set does not suit are left out; runs that fail are reported.
std::vector<ComparedRate> compare_rates(const AccuracyOptions& options,
                                        const std::function<void(double)>& progress,
                                        Diagnostics& diagnostics);

// Kendall's rank correlation, with ties (tau b): of pairs of items, how many both values order
// alike less how many they order differently. Values within `tie` of each other, relative, are
// alike. 1 when there are no pairs that are ordered.
double rank_correlation(const std::vector<std::pair<double, double>>& values, double tie = 0);

// Of the share `share` of the values, the largest, the smallest first. 0 when there are none.
double quantile(std::vector<double> values, double share);

// JSON, schema nplab.bench.prediction/1, with claims: the aims, what was measured, and whether it
// held.
nlohmann::ordered_json accuracy_json(const std::vector<ComparedRate>& rates);

}  // namespace nplab::experiments
