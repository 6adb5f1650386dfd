#include "tools/commands/bench_builders.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/prepare/data_files.h"
#include "experiments/prepare/experiment.h"
#include "tools/commands/commands.h"
#include "tools/output/progress_bar.h"
#include "workloads/rules/rule_generator.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using BuilderJson = nlohmann::ordered_json;

struct BuilderBenchOptions {
  std::vector<std::string> mappings{"abv-data", "hicuts-data", "tss-data", "tm-data"};
  std::vector<std::string> profiles{"acl", "fw", "ipc"};
  std::size_t count = 10000;
  std::uint64_t seed = 1;
};

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// What a user waits for: the set is generated, the tables are built twice (their sizes first), and
// nothing is compiled or simulated. Processor time, which other work on the host does not change.
BuilderJson builder_row(const std::string& mapping, const std::string& rules,
                        const PreparationProgress& progress) {
  ExperimentOptions options;
  options.rules = rules;
  options.traffic = {"gen:count=1"};
  Diagnostics diagnostics;
  const double started = processor_seconds();
  const auto experiment = prepare_experiment(mapping, options, diagnostics, progress);
  BuilderJson row{
      {"mapping", mapping}, {"rules", rules}, {"processor_s", processor_seconds() - started}};
  if (!experiment) {
    row["refused"] = diagnostics.to_string();
    return row;
  }
  std::uint64_t bytes = 0;
  for (const mappings::TablePlacement& table : experiment->placement.tables)
    bytes += table.bytes;
  row["build_s"] = experiment->build_seconds;
  row["table_bytes"] = bytes;
  for (const auto& [name, value] : experiment->table_facts)
    row["built"][name] = value;
  return row;
}

// A set that a builder refuses is a result; a word that names nothing is not.
bool check_names(const BuilderBenchOptions& options) {
  Diagnostics diagnostics;
  for (const std::string& mapping : options.mappings)
    find_data_file(DataKind::kMapping, mapping, {mapping, 0, 0}, diagnostics);
  for (const std::string& profile : options.profiles)
    find_data_file(DataKind::kRuleProfile, profile, {"--profile", 0, 0}, diagnostics);
  std::cerr << diagnostics.to_string();
  return !diagnostics.has_errors();
}

int bench_builders(const BuilderBenchOptions& options) {
  if (!check_names(options))
    return kBadInput;
  BuilderJson result{{"schema", "nplab.bench_builders/1"},
                     {"count", options.count},
                     {"rows", BuilderJson::array()}};
  ProgressBar bar(ProgressBar::Visibility::kWhenTerminal);
  const double all = static_cast<double>(options.mappings.size() * options.profiles.size());
  for (const std::string& profile : options.profiles) {
    const std::string rules =
        fmt::format("gen:{},count={},seed={}", profile, options.count, options.seed);
    for (const std::string& mapping : options.mappings) {
      const double done = static_cast<double>(result["rows"].size()) / all;
      const auto progress = [&](const std::string& step, double) {
        bar.show(fmt::format("{}, {}: {}", mapping, profile, step), done);
      };
      result["rows"].push_back(builder_row(mapping, rules, progress));
    }
  }
  std::cout << result.dump(2) << '\n';
  return kDone;
}

}  // namespace

void add_bench_builders_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand("builders",
                                       "Measure the table builders on generated rule sets: "
                                       "processor time, memory, or why a set is refused");
  auto options = std::make_shared<BuilderBenchOptions>();
  command->add_option("MAPPING", options->mappings,
                      "mapping files or names [abv-data hicuts-data tss-data tm-data]");
  command->add_option("--profile", options->profiles, "profiles of rules [acl fw ipc]")
      ->type_name("PROFILE");
  command->add_option("--count", options->count, "rules of each set [10000]")
      ->check(CLI::Range(workloads::kFewestGeneratedRules, workloads::kMostGeneratedRules))
      ->type_name("N");
  command->add_option("--seed", options->seed, "seed of the sets [1]")->type_name("N");
  command->callback([options, &status] { status = bench_builders(*options); });
}

}  // namespace nplab::tools
