#include "experiments/benches/builder_bench.h"

#include <fmt/format.h>
#include <ctime>
#include <nlohmann/json.hpp>

#include "experiments/prepare/data_files.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// What a user waits for: the set is generated, the tables are built twice (their sizes first), and
// nothing is compiled or simulated. Processor time, which other work on the host does not change.
Json builder_row(const std::string& mapping, const std::string& rules,
                 const PreparationProgress& progress) {
  ExperimentOptions options;
  options.rules = rules;
  options.traffic = {"gen:count=1"};
  Diagnostics diagnostics;
  const double started = processor_seconds();
  const auto experiment = prepare_experiment(mapping, options, diagnostics, progress);
  Json row{{"mapping", mapping}, {"rules", rules}, {"processor_s", processor_seconds() - started}};
  if (!experiment) {
    row["refused"] = diagnostics.to_string();
    return row;
  }
  std::uint64_t bytes = 0;
  for (const mappings::TablePlacement& table : experiment->placement().tables)
    bytes += table.bytes;
  row["build_s"] = experiment->placed->build_seconds;
  row["table_bytes"] = bytes;
  for (const auto& [name, value] : experiment->placed->facts)
    row["built"][name] = value;
  return row;
}

// A set that a builder refuses is a result; a name that names nothing is not.
bool check_names(const BuilderBenchOptions& options, Diagnostics& diagnostics) {
  Diagnostics found;
  for (const std::string& mapping : options.mappings)
    find_data_file(DataKind::kMapping, mapping, without_lines(mapping), found);
  for (const std::string& profile : options.profiles)
    find_data_file(DataKind::kRuleProfile, profile, without_lines("--profile"), found);
  diagnostics.append(found);
  return !found.has_errors();
}

}  // namespace

Json bench_builders(const BuilderBenchOptions& options, const PreparationProgress& progress,
                    Diagnostics& diagnostics) {
  if (!check_names(options, diagnostics))
    return nullptr;
  Json result{
      {"schema", "nplab.bench_builders/1"}, {"count", options.count}, {"rows", Json::array()}};
  const double all = static_cast<double>(options.mappings.size() * options.profiles.size());
  for (const std::string& profile : options.profiles) {
    const std::string rules =
        fmt::format("gen:{},count={},seed={}", profile, options.count, options.seed);
    for (const std::string& mapping : options.mappings) {
      const double done = static_cast<double>(result["rows"].size()) / all;
      const auto step_progress = [&](const std::string& step, double) {
        progress(fmt::format("{}, {}: {}", mapping, profile, step), done);
      };
      result["rows"].push_back(builder_row(mapping, rules, step_progress));
    }
  }
  return result;
}

}  // namespace nplab::experiments
