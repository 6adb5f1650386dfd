#include "experiments/prediction/accuracy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/prediction/prediction.h"
#include "experiments/prediction/profile_cache.h"
#include "experiments/run/prepared_run.h"
#include "reports/analysis/bounds.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kAccuracySchema = "nplab.bench.prediction/1";
constexpr double kMedianAim = 5, kMostAim = 10;  // percent
constexpr double kMostShare = 0.9;               // of all, within kMostAim
constexpr double kRankAim = 0.9;
constexpr std::uint64_t kLonger = 4;
constexpr double kSameRate = 0.01;  // relative: ports at line rate give the same rate to all

ExperimentOptions options_with(const AccuracyOptions& options, const std::string& rules) {
  ExperimentOptions with;
  with.packets = options.packets;
  if (!rules.empty()) {
    with.rules = rules;
    with.traffic = {"gen:"};
  }
  return with;
}

// Of a run that is repeated at `kLonger` times the length when it has not reached a steady state:
// on a chip of many engines, queues fill slowly.
std::optional<reports::RunRecord> steady_run(const std::string& mapping, const std::string& rules,
                                             const AccuracyOptions& options,
                                             Diagnostics& diagnostics) {
  std::optional<reports::RunRecord> record;
  for (const std::uint64_t times : {std::uint64_t{1}, kLonger}) {
    AccuracyOptions of_length = options;
    of_length.packets = options.packets * times;
    const auto prepared = prepare_run(mapping, options_with(of_length, rules), diagnostics);
    if (!prepared)
      return std::nullopt;
    auto records = run_isolated({isolated_run(*prepared, {})}, [](double) {}, diagnostics);
    if (!records)
      return std::nullopt;
    record = std::move(records->front());
    if (record->failure || (record->steady && record->steady->reached))
      break;
  }
  return record;
}

// Nothing, and diagnostics, when the run fails; nothing when the mapping cannot take the rules.
std::optional<ComparedRate> compare(const std::string& mapping, const std::string& rules,
                                    const AccuracyOptions& options, Diagnostics& diagnostics) {
  Diagnostics unsuitable;
  const auto prepared = prepare_run(mapping, options_with(options, rules), unsuitable);
  if (!prepared || !can_predict(prepared->experiment, unsuitable))
    return std::nullopt;
  const auto profile = obtain_profile(prepared->experiment, diagnostics);
  const auto run = steady_run(mapping, rules, options, diagnostics);
  if (!profile || !run)
    return std::nullopt;
  const reports::RunRecord& record = *run;
  if (record.failure || !record.steady || record.steady->rates_mbps.transmit <= 0) {
    diagnostics.error({mapping, 0, 0},
                      record.failure ? record.failure->message : "the run has no steady state");
    return std::nullopt;
  }
  const Prediction prediction = predict(*profile, prepared->experiment);
  const auto bounds = reports::bounds_of(record);
  return ComparedRate{mapping,
                      rules,
                      prepared->experiment.chip.name,
                      prediction.transmit_mbps,
                      record.steady->rates_mbps.transmit,
                      record.steady->reached,
                      prediction.bound.resource,
                      bounds ? bounds->first.use.resource : ""};
}

int order(double a, double b, double tie) {
  if (std::abs(a - b) <= tie * std::max(std::abs(a), std::abs(b)))
    return 0;
  return a < b ? -1 : 1;
}

Json claim(const char* name, double aim, double measured, bool held) {
  return {{"claim", name}, {"aim", aim}, {"measured", measured}, {"held", held}};
}

// Mappings are compared with those on the same chip with the same rules.
double mean_rank_correlation(const std::vector<ComparedRate>& rates) {
  std::map<std::pair<std::string, std::string>, std::vector<std::pair<double, double>>> groups;
  for (const ComparedRate& rate : rates)
    groups[{rate.chip, rate.rules}].emplace_back(rate.predicted, rate.simulated);
  double sum = 0;
  for (const auto& [group, values] : groups)
    sum += rank_correlation(values, kSameRate);
  return groups.empty() ? 0 : sum / static_cast<double>(groups.size());
}

}  // namespace

std::vector<ComparedRate> compare_rates(const AccuracyOptions& options,
                                        const std::function<void(double)>& progress,
                                        Diagnostics& diagnostics) {
  std::vector<ComparedRate> rates;
  const double all = static_cast<double>(options.mappings.size() * options.rules.size());
  double done = 0;
  for (const std::string& rules : options.rules) {
    for (const std::string& mapping : options.mappings) {
      if (auto rate = compare(mapping, rules, options, diagnostics))
        rates.push_back(std::move(*rate));
      progress(++done / all);
    }
  }
  return rates;
}

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

Json accuracy_json(const std::vector<ComparedRate>& rates) {
  Json list = Json::array();
  std::vector<double> errors;
  for (const ComparedRate& rate : rates) {
    errors.push_back(std::abs(rate.error_pct()));
    list.push_back({{"mapping", rate.mapping},
                    {"rules", rate.rules},
                    {"chip", rate.chip},
                    {"predicted_mbps", rate.predicted},
                    {"simulated_mbps", rate.simulated},
                    {"error_pct", rate.error_pct()},
                    {"steady", rate.steady},
                    {"predicted_bound", rate.predicted_bound},
                    {"verdict_bound", rate.verdict_bound}});
  }
  const double median = quantile(errors, 0.5);
  const double most = quantile(errors, kMostShare);
  const double ranks = mean_rank_correlation(rates);
  return {{"schema", kAccuracySchema},
          {"rates", list},
          {"claims",
           {claim("median error of the rate, percent", kMedianAim, median, median <= kMedianAim),
            claim("error of nine in ten rates, percent", kMostAim, most, most <= kMostAim),
            claim("rank correlation of mappings", kRankAim, ranks, ranks >= kRankAim)}}};
}

}  // namespace nplab::experiments
