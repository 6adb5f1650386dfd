#include "experiments/prediction/accuracy_claims.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMedianAim = 5, kMostAim = 10;  // percent
constexpr double kMostShare = 0.9;               // of all, within kMostAim
constexpr double kRankAim = 0.9;
constexpr double kSameRate = 0.01;  // relative: ports at line rate give the same rate to all

int order(double a, double b, double tie) {
  if (std::abs(a - b) <= tie * std::max(std::abs(a), std::abs(b)))
    return 0;
  return a < b ? -1 : 1;
}

double mean_rank_correlation(const std::vector<PredictedRate>& rates) {
  std::map<std::string, std::vector<std::pair<double, double>>> groups;
  for (const PredictedRate& rate : rates)
    groups[rate.group].emplace_back(rate.predicted, rate.simulated);
  double sum = 0;
  for (const auto& [group, values] : groups)
    sum += rank_correlation(values, kSameRate);
  return groups.empty() ? 0 : sum / static_cast<double>(groups.size());
}

}  // namespace

double rank_correlation(const std::vector<std::pair<double, double>>& values, double tie) {
  double agreeing = 0, first_ordered = 0, second_ordered = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      const int first = order(values[i].first, values[j].first, tie);
      const int second = order(values[i].second, values[j].second, tie);
      agreeing += first * second;
      first_ordered += first * first;
      second_ordered += second * second;
    }
  }
  const double ordered = std::sqrt(first_ordered * second_ordered);
  return ordered > 0 ? agreeing / ordered : 1;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  const auto rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

Json claim(const std::string& name, double aim, double measured, bool held) {
  return {{"claim", name}, {"aim", aim}, {"measured", measured}, {"held", held}};
}

Json rate_claims(const std::vector<PredictedRate>& rates, const std::string& items) {
  std::vector<double> errors;
  for (const PredictedRate& rate : rates)
    errors.push_back(std::abs(rate.error_pct()));
  const double median = quantile(errors, 0.5);
  const double most = quantile(errors, kMostShare);
  const double ranks = mean_rank_correlation(rates);
  return Json::array(
      {claim("median error of the rate, percent", kMedianAim, median, median <= kMedianAim),
       claim("error of nine in ten rates, percent", kMostAim, most, most <= kMostAim),
       claim("rank correlation of " + items, kRankAim, ranks, ranks >= kRankAim)});
}

}  // namespace nplab::experiments
