// What is claimed of predicted rates, and how far simulated ones bear it out.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace nplab::experiments {

// Kendall's rank correlation, with ties (tau b): of pairs of items, how many both values order
// alike less how many they order differently. Values within `tie` of each other, relative, are
// alike. 1 when there are no pairs that are ordered.
double rank_correlation(const std::vector<std::pair<double, double>>& values, double tie = 0);

// Of the share `share` of the values, the largest, the smallest first. 0 when there are none.
double quantile(std::vector<double> values, double share);

// An item's rates. Items of one group are ranked among themselves.
struct PredictedRate {
  std::string group;
  double predicted = 0;
  double simulated = 0;
  [[nodiscard]] double error_pct() const { return 100 * (predicted / simulated - 1); }
};

// A claim: the aim, what was measured, and whether it holds.
nlohmann::ordered_json claim(const std::string& name, double aim, double measured, bool held);

// The claims about errors, and about the rank correlation of `items`, such as "mappings".
nlohmann::ordered_json rate_claims(const std::vector<PredictedRate>& rates,
                                   const std::string& items);

}  // namespace nplab::experiments
