// nplab explore: finds mappings that nobody wrote.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/exploration/exploration.h"
#include "experiments/exploration/exploration_files.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"

namespace nplab::tools {

using namespace experiments;
namespace {

constexpr std::uint64_t kDefaultPackets = 4000;
constexpr std::size_t kDefaultRuns = 60;

const std::map<std::string, SearchMethod> kMethods{{"halving", SearchMethod::kHalving},
                                                   {"random", SearchMethod::kRandom},
                                                   {"all", SearchMethod::kAll}};

struct ExploreOptions {
  ExplorationRequest request;
  std::string objectives;
  std::string budget;
  bool count = false;
  bool quiet = false;
  std::string html;
  std::string json;
};

// What a search takes that its options say in words.
void read_words(ExploreOptions& options, Diagnostics& diagnostics) {
  ExplorationRequest& request = options.request;
  // The option's seed is that of the search; the traffic keeps the workload's.
  request.seed = request.options.seed.value_or(1);
  request.options.seed.reset();
  if (!options.objectives.empty()) {
    const auto objectives = parse_objectives(options.objectives);
    if (objectives)
      request.objectives = *objectives;
    else
      diagnostics.error(without_lines("--objective"),
                        fmt::format("'{}' is not a list of rate, latency and engines, such as "
                                    "rate,latency",
                                    options.objectives));
  }
  if (!options.budget.empty()) {
    const auto seconds = parse_duration(options.budget);
    if (seconds)
      request.seconds = *seconds;
    else
      diagnostics.error(
          without_lines("--budget"),
          fmt::format("'{}' is not a time, such as 10min, 90s or 1h", options.budget));
  } else if (request.runs == 0 && request.method != SearchMethod::kAll) {
    request.runs = kDefaultRuns;
  }
  if (request.options.packets == 0)
    diagnostics.error(without_lines("--packets"),
                      "a search compares runs of equal length; give a number");
  if (request.folder.empty())
    request.folder = "explored-" + std::filesystem::path(request.algorithm).filename().string();
}

void write_outputs(const ExploreOptions& options, const Terrain& terrain, const Exploration& found,
                   Diagnostics& diagnostics) {
  const auto page = options.html.empty()
                        ? (std::filesystem::path(options.request.folder) / "index.html").string()
                        : options.html;
  write_output_file(page, exploration_page(options.request, terrain, found), diagnostics);
  if (!options.json.empty())
    write_output_file(options.json, exploration_json(options.request, terrain, found), diagnostics);
  if (!options.quiet && options.json != "-" && page != "-") {
    std::cout << exploration_text(options.request, terrain, found)
              << fmt::format("\nPage: {}\n", page);
  }
}

int explore_space(const ExploreOptions& options, const Terrain& terrain, ProgressBar& bar,
                  Diagnostics& diagnostics) {
  const auto found = explore(
      options.request, terrain,
      [&](const ExplorationStatus& status) { bar.show(status.text, status.done); }, diagnostics);
  if (!found)
    return kBadInput;
  write_outputs(options, terrain, *found, diagnostics);
  if (diagnostics.has_errors())
    return kBadInput;
  return found->front.empty() ? kProgramFailed : kDone;
}

int explore(ExploreOptions options) {
  Diagnostics diagnostics;
  read_words(options, diagnostics);
  check_output_file(options.html, diagnostics);
  check_output_file(options.json, diagnostics);
  int status = kBadInput;
  {
    ProgressBar bar(options.quiet ? ProgressBar::Visibility::kQuiet
                                  : ProgressBar::Visibility::kWhenTerminal);
    const auto terrain =
        survey(options.request, diagnostics,
               [&](const std::string& step, double done) { bar.show(step, done); });
    if (terrain && !diagnostics.has_errors()) {
      if (options.count) {
        const auto count =
            count_points(terrain->space, [&](double done) { bar.show("counting", done); });
        std::cout << count_text(terrain->space, count);
        status = kDone;
      } else {
        status = explore_space(options, *terrain, bar, diagnostics);
      }
    }
  }
  std::cerr << diagnostics.to_string();
  return status;
}

}  // namespace

void add_explore_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "explore", "Search for mappings of an algorithm that are better than the listed ones");
  auto options = std::make_shared<ExploreOptions>();
  ExplorationRequest& request = options->request;
  request.options.packets = kDefaultPackets;
  command->add_option("ALGORITHM", request.algorithm, "a listed algorithm, or its manifest")
      ->required();
  command
      ->add_option("--space", request.space,
                   "what the search may choose from (docs/space-file.md); else a default space")
      ->type_name("FILE");
  command
      ->add_option("--objective", options->objectives,
                   "what is wanted, most wanted first: rate, latency (99th percentile), engines; "
                   "by default all, latency last where listed mappings take all that the ports "
                   "bring")
      ->type_name("A,B");
  command
      ->add_option("--budget", options->budget,
                   "search for this much time, such as 10min, 90s or 1h")
      ->type_name("TIME");
  command
      ->add_option("--runs", request.runs,
                   fmt::format("simulate so many runs [{}, without --budget]", kDefaultRuns))
      ->type_name("N");
  command
      ->add_option("--method", request.method,
                   "halving: short runs of many points and long ones of the best; for comparison, "
                   "random: points at random; all: every legal point [halving]")
      ->type_name("NAME")
      ->transform(CLI::CheckedTransformer(kMethods, CLI::ignore_case).description(""));
  command
      ->add_option("--out", request.folder,
                   "folder for the journal, from which a stopped search resumes, the mappings "
                   "found and a page [explored-ALGORITHM]")
      ->type_name("FOLDER");
  command->add_flag("--count", options->count,
                    "only print the size of the space and how much of it is legal");
  command
      ->add_option("--html", options->html,
                   "write the page to FILE (- for standard output) [index.html in that folder]")
      ->type_name("FILE");
  command->add_option("--json", options->json, "write the result to FILE (- for standard output)")
      ->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "print no report and show no progress");
  add_experiment_options(*command, request.options);
  command->get_option("--packets")
      ->description(
          fmt::format("packets received in a run at full length [{}]; short runs receive a quarter",
                      kDefaultPackets));
  command->get_option("--seed")->description(
      "seed of the search [1]; that of the traffic is --set workload.seed=N");
  command->callback([options, &status] { status = explore(*options); });
}

}  // namespace nplab::tools
