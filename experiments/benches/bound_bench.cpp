#include "experiments/benches/bound_bench.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/run/comparison.h"
#include "reports/analysis/bounds.h"
#include "reports/analysis/stations.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kClose = 10;    // percent of the rate
constexpr double kSameGain = 1;  // percent: two resources that give as much
constexpr const char* kSchema = "nplab.bench.bounds/1";

std::vector<std::string> resources_of(const reports::RunRecord& record) {
  std::vector<std::string> resources;
  for (const reports::Station& station : reports::stations_of(record))
    resources.push_back(station.resource());
  for (const char* shared : {"sram", "sdram", "scratch", "ports", "aborts", "polling"})
    resources.emplace_back(shared);
  return resources;
}

double packets_per_s(const reports::RunRecord& record) {
  return static_cast<double>(record.packets.sent) / record.simulated_seconds;
}

// The mapping without the resource; its programs and tables are those of the plain run.
PreparedRun without(const PreparedRun& run, const std::string& resource) {
  PreparedRun changed = run;
  changed.experiment.options.without = {resource};
  return changed;
}

std::vector<std::optional<reports::RunRecord>> simulate_all(
    const std::vector<PreparedRun>& prepared, const std::function<void(double)>& progress,
    Diagnostics& diagnostics) {
  std::vector<IsolatedRun> runs;
  runs.reserve(prepared.size());
  for (const PreparedRun& run : prepared)
    runs.push_back(isolated_run(run, {}));
  return run_isolated_each(runs, progress, diagnostics);
}

bool is_usable(const std::optional<reports::RunRecord>& record, const std::string& what,
               Diagnostics& diagnostics) {
  if (record && !record->failure && record->packets.sent > 0)
    return true;
  if (record)
    diagnostics.error(without_lines(what),
                      record->failure ? record->failure->message : "no packet was sent");
  return false;
}

}  // namespace

std::vector<GainCheck> check_gains(const BoundBenchOptions& options,
                                   const std::function<void(double)>& progress,
                                   Diagnostics& diagnostics) {
  ExperimentOptions experiment;
  experiment.packets = options.packets;
  const auto plain_runs = prepare_runs(options.mappings, experiment, diagnostics);
  if (diagnostics.has_errors())
    return {};
  const auto part = [&](double from, double to) {
    return [&progress, from, to](double done) { progress(from + (to - from) * done); };
  };
  constexpr double kPlainShare = 0.1;
  const auto plain = simulate_all(plain_runs, part(0, kPlainShare), diagnostics);
  std::vector<GainCheck> checks;
  std::vector<PreparedRun> changed;
  std::vector<double> rates;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (!is_usable(plain[i], options.mappings[i], diagnostics))
      continue;
    const auto bounds = reports::bounds_of(*plain[i]);
    for (const std::string& resource : resources_of(*plain[i])) {
      const auto gain = reports::estimated_gain(*plain[i], resource);
      if (!gain || !bounds)
        continue;
      checks.push_back(
          {options.mappings[i], resource, *gain, 0, bounds->first.use.resource == resource});
      changed.push_back(without(plain_runs[i], resource));
      rates.push_back(packets_per_s(*plain[i]));
    }
  }
  const auto freed = simulate_all(changed, part(kPlainShare, 1), diagnostics);
  std::vector<GainCheck> usable;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const std::string what = checks[i].mapping + " --without " + checks[i].resource;
    if (!is_usable(freed[i], what, diagnostics))
      continue;
    checks[i].simulated_pct = 100 * (packets_per_s(*freed[i]) / rates[i] - 1);
    usable.push_back(checks[i]);
  }
  return usable;
}

Json bench_bounds(const BoundBenchOptions& options, const std::function<void(double)>& progress,
                  Diagnostics& diagnostics) {
  const auto checks = check_gains(options, progress, diagnostics);
  if (checks.empty())
    return nullptr;
  Json json{{"schema", kSchema}, {"packets", options.packets}, {"gains", Json::array()}};
  std::size_t close = 0;
  std::map<std::string, double> greatest, named;
  for (const GainCheck& check : checks) {
    json["gains"].push_back({{"mapping", check.mapping},
                             {"resource", check.resource},
                             {"estimated_pct", check.estimated_pct},
                             {"simulated_pct", check.simulated_pct},
                             {"error_pct", check.error_pct()},
                             {"is_bound", check.is_bound}});
    close += std::abs(check.error_pct()) <= kClose ? 1 : 0;
    if (check.resource == "aborts" || check.resource == "polling")
      continue;  // of several resources
    double& most = greatest[check.mapping];
    most = std::max(most, check.simulated_pct);
    if (check.is_bound)
      named[check.mapping] = check.simulated_pct;
  }
  std::size_t right = 0;
  for (const auto& [mapping, most] : greatest)
    right += named.contains(mapping) && named[mapping] >= most - kSameGain ? 1 : 0;
  json["within_10_pct"] = close;
  json["of"] = checks.size();
  json["bounds_right"] = right;
  json["mappings"] = greatest.size();
  return json;
}

}  // namespace nplab::experiments
