#include "experiments/prediction/accuracy.h"

#include <nlohmann/json.hpp>

#include "experiments/prediction/accuracy_claims.h"
#include "experiments/prediction/prediction.h"
#include "experiments/prediction/profile_cache.h"
#include "experiments/run/prepared_run.h"
#include "reports/analysis/bounds.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kAccuracySchema = "nplab.bench.prediction/1";
constexpr std::uint64_t kLonger = 4;

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
    diagnostics.error(without_lines(mapping),
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

Json accuracy_json(const std::vector<ComparedRate>& rates) {
  Json list = Json::array();
  // Mappings are compared with those on the same chip with the same rules.
  std::vector<PredictedRate> predicted;
  for (const ComparedRate& rate : rates) {
    predicted.push_back({rate.chip + '\n' + rate.rules, rate.predicted, rate.simulated});
    list.push_back({{"mapping", rate.mapping},
                    {"rules", rate.rules},
                    {"chip", rate.chip},
                    {"predicted_mbps", rate.predicted},
                    {"simulated_mbps", rate.simulated},
                    {"error_pct", predicted.back().error_pct()},
                    {"steady", rate.steady},
                    {"predicted_bound", rate.predicted_bound},
                    {"verdict_bound", rate.verdict_bound}});
  }
  return {
      {"schema", kAccuracySchema}, {"rates", list}, {"claims", rate_claims(predicted, "mappings")}};
}

}  // namespace nplab::experiments
