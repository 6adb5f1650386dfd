// nplab bench: what nplab costs on this host, as JSON.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <iostream>
#include <memory>

#include "experiments/benches/activity_bench.h"
#include "experiments/benches/bound_bench.h"
#include "experiments/benches/builder_bench.h"
#include "experiments/benches/compiler_bench.h"
#include "experiments/benches/queue_bench.h"
#include "experiments/benches/speed_bench.h"
#include "experiments/exploration/placement_accuracy.h"
#include "experiments/match_engine/bench_page.h"
#include "experiments/match_engine/match_bench.h"
#include "experiments/prediction/accuracy.h"
#include "experiments/prediction/many_field_bench.h"
#include "experiments/prepare/data_directory.h"
#include "experiments/prepare/data_files.h"
#include "tools/commands/commands.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"
#include "workloads/rules/rule_generator.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::ordered_json;

// Prints the result, or what went wrong.
int print(const Json& result, const Diagnostics& diagnostics) {
  std::cerr << diagnostics.to_string();
  if (result.is_null())
    return kBadInput;
  std::cout << result.dump(2) << '\n';
  return kDone;
}

// Runs a bench while its progress is shown, and prints its result.
int run_bench(const std::function<Json(ProgressBar&, Diagnostics&)>& bench) {
  Diagnostics diagnostics;
  ProgressBar bar(ProgressBar::Visibility::kWhenTerminal);
  const Json result = bench(bar, diagnostics);
  return print(result, diagnostics);
}

// For a bench that names its steps, and for one that runs simulations alone.
auto steps_of(ProgressBar& bar) {
  return [&bar](const std::string& step, double done) { bar.show(step, done); };
}
auto simulations_of(ProgressBar& bar) {
  return [&bar](double done) { bar.show("simulating", done); };
}

int run_speed_bench(SpeedBenchOptions options) {
  Diagnostics diagnostics;
  options.program = program_file().string();
  const Json result = bench_speed(options, diagnostics);
  const int status = print(result, diagnostics);
  if (status != kDone)
    return status;
  for (const Json& run : result.at("runs")) {
    if (!run.at("same_state").get<bool>())
      return kCheckFailed;
  }
  return kDone;
}

int run_builder_bench(const BuilderBenchOptions& options) {
  return run_bench([&](ProgressBar& bar, Diagnostics& diagnostics) {
    return bench_builders(options, steps_of(bar), diagnostics);
  });
}

int run_compiler_bench(std::uint64_t packets) {
  Diagnostics diagnostics;
  const Json result = bench_compiler(packets, diagnostics);
  print(result, diagnostics);
  for (const auto& [name, part] : result.items()) {
    if (part.is_null())
      return kBadInput;
  }
  return kDone;
}

int run_activity_bench() {
  Diagnostics diagnostics;
  const Json result = bench_activity(program_file().string(), diagnostics);
  return print(result, diagnostics);
}

void add_activity_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand(
      "activity",
      "Does run time scale with the engines' activity? Count host instructions with all engines "
      "busy and with a quarter of them, as JSON");
  command->footer(
      "Needs valgrind. The same program runs on all eight engines of a chip multiprocessor, and on "
      "two.");
  command->callback([&status] { status = run_activity_bench(); });
}

void add_builders_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand("builders",
                                       "Measure the table builders on generated rule sets: "
                                       "processor time, memory, or the reason for a refusal");
  auto options = std::make_shared<BuilderBenchOptions>();
  command->add_option("MAPPING", options->mappings,
                      "mapping files or names [abv-data hicuts-data tss-data tm-data]");
  command->add_option("--profile", options->profiles, "rule profiles [acl fw ipc]")
      ->type_name("PROFILE");
  command->add_option("--count", options->count, "rules of each set [10000]")
      ->check(CLI::Range(workloads::kFewestGeneratedRules, workloads::kMostGeneratedRules))
      ->type_name("N");
  command->add_option("--seed", options->seed, "seed of the sets [1]")->type_name("N");
  command->callback([options, &status] { status = run_builder_bench(*options); });
}

int run_queue_bench(const std::string& chip) {
  return run_bench([&](ProgressBar& bar, Diagnostics& diagnostics) {
    return bench_queues(chip, steps_of(bar), diagnostics);
  });
}

void add_queues_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand(
      "queues",
      "Measure what a hand-over through a queue costs: references, bus cycles, engine cycles and "
      "the highest rate, by sync, memory and threads, as JSON");
  command->footer("The chip gets at least eight engines. docs/queues.md explains the shapes.");
  auto chip = std::make_shared<std::string>("ixp1200");
  command->add_option("--chip", *chip, "chip file or listed name [ixp1200]")->type_name("CHIP");
  command->callback([chip, &status] { status = run_queue_bench(*chip); });
}

int run_bound_bench(const BoundBenchOptions& options) {
  return run_bench([&](ProgressBar& bar, Diagnostics& diagnostics) {
    return bench_bounds(options, simulations_of(bar), diagnostics);
  });
}

void add_bounds_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand(
      "bounds",
      "Compare the gains that verdicts estimate with runs in which that resource is free (run "
      "--without), as JSON");
  auto options = std::make_shared<BoundBenchOptions>();
  options->mappings = {"ls", "bv1", "bv2"};
  command->add_option("MAPPING", options->mappings, "mapping files or listed names [ls bv1 bv2]");
  command->add_option("--packets", options->packets, "length of the runs [5000]")->type_name("N");
  command->footer("docs/verdict.md has the result for all listed mappings.");
  command->callback([options, &status] { status = run_bound_bench(*options); });
}

int run_placement_bench(const PlacementAccuracyOptions& options) {
  return run_bench([&](ProgressBar& bar, Diagnostics& diagnostics) {
    PlacementAccuracyOptions with_traffic = options;
    if (!options.experiment.rules.empty())
      with_traffic.experiment.traffic = {"gen:"};
    return placements_json(compare_placements(with_traffic, simulations_of(bar), diagnostics));
  });
}

void add_placements_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand(
      "placements",
      "Compare predictions of random placements with simulations: errors, rank correlation, "
      "bounds, and predictions per second, as JSON");
  auto options = std::make_shared<PlacementAccuracyOptions>();
  options->algorithms = {"bit-vector", "hicuts", "aggregated-bit-vector", "tuple-merge"};
  options->experiment.packets = 2000;
  command->add_option("ALGORITHM", options->algorithms,
                      "algorithms [bit-vector hicuts aggregated-bit-vector tuple-merge]");
  command->add_option("--count", options->placements, "placements of all algorithms [200]")
      ->type_name("N");
  command
      ->add_option("--bounds", options->bounds,
                   "of these, how many are simulated without each of their resources [0]")
      ->type_name("N");
  command->add_option("--packets", options->experiment.packets, "length of the simulations [2000]")
      ->type_name("N");
  command->add_option("--seed", options->seed, "that placements are drawn with [1]")
      ->type_name("N");
  command
      ->add_option("--rules", options->experiment.rules,
                   "rule set, with traffic generated for it [the published rules and traffic]")
      ->type_name("FILE|SPEC");
  command->add_option("--keep", options->folder, "keep the mapping files in FOLDER")
      ->type_name("FOLDER");
  command->footer("docs/prediction.md has the result for 200 placements.");
  command->callback([options, &status] { status = run_placement_bench(*options); });
}

int run_many_field_bench(const ManyFieldBenchOptions& options) {
  return run_bench([&](ProgressBar& bar, Diagnostics& diagnostics) {
    return bench_many_field(options, simulations_of(bar), diagnostics);
  });
}

void add_many_field_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand(
      "many-field",
      "Compare the published model of classification by decomposition, fitted on two numbers of "
      "rules with one packet under way, with runs of more rules and more packets, as JSON");
  auto options = std::make_shared<ManyFieldBenchOptions>();
  command
      ->add_option("--rules", options->rules,
                   "numbers of rules that are predicted [4096 8192 16384 32768]")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, workloads::kMostGeneratedRules));
  command
      ->add_option("--under-way", options->under_way,
                   "packets under way that are predicted [1 2 4 8 16 32 64]")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  command
      ->add_option("--loaded-rules", options->loaded_rules,
                   "rules of the runs with several packets under way [4096]")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, workloads::kMostGeneratedRules));
  command->add_option("--packets", options->packets, "length of the runs [2000]")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->footer("mappings/many-field/README.md has the result.");
  command->callback([options, &status] { status = run_many_field_bench(*options); });
}

int run_match_bench(const MatchBenchOptions& options, const std::string& html) {
  return run_bench([&](ProgressBar& bar, Diagnostics& diagnostics) {
    if (!html.empty())
      check_output_file(html, diagnostics);
    if (diagnostics.has_errors())
      return Json();
    Json result = bench_match_engine(options, steps_of(bar), diagnostics);
    if (!html.empty() && !result.is_null())
      write_output_file(html, match_bench_page(result), diagnostics);
    return result;
  });
}

void add_match_engine_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand(
      "match-engine",
      "Measure the match engine, a unit that classifies packets over tables in DDR4: its rate by "
      "flows, channels and the size of its parts, as JSON");
  auto options = std::make_shared<MatchBenchOptions>();
  std::string figures = "Figures:";
  for (const MatchFigure& figure : match_figures())
    figures += "\n  " + figure.name + ": " + figure.sentence;
  command->add_option("--figure", options->figures, "what is measured; repeat the option [flows]")
      ->type_name("FIGURE");
  command
      ->add_option("--flows", options->flows,
                   "of figure `flows`: numbers of flows [12 from 1000 to 1000000]")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4'000'000}));
  command->add_option("--channels", options->channels, "of figure `flows` [1 2 4]")
      ->type_name("N")
      ->check(CLI::IsMember({1, 2, 4, 8}));
  command->add_option("--packets", options->packets, "counted in each point [200000]")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--window", options->window,
                   "requests among which a memory controller chooses [3, calibrated]")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  command->add_option("--seed", options->seed, "of flows and packets [1]")->type_name("N");
  auto html = std::make_shared<std::string>();
  command->add_option("--html", *html, "write a page with a chart of each figure to FILE, too")
      ->type_name("FILE");
  auto is_drawing = std::make_shared<bool>(false);
  command->add_flag("--drawing", *is_drawing,
                    "print the unit's modules and ports in Graphviz' language instead");
  command->footer(figures + "\ndocs/match-engine.md has the results.");
  command->callback([options, html, is_drawing, &status] {
    if (*is_drawing)
      std::cout << match_engine_drawing();
    status = *is_drawing ? kDone : run_match_bench(*options, *html);
  });
}

int run_prediction_bench(AccuracyOptions options) {
  if (options.mappings.empty()) {
    for (const DataFile& mapping : list_data_files(DataKind::kMapping))
      options.mappings.push_back(mapping.name);
  }
  // The workload's own rules first.
  options.rules.insert(options.rules.begin(), "");
  return run_bench([&](ProgressBar& bar, Diagnostics& diagnostics) {
    const auto rates = compare_rates(options, simulations_of(bar), diagnostics);
    return rates.empty() ? Json() : accuracy_json(rates);
  });
}

void add_prediction_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand(
      "prediction",
      "Compare the rates that predict gives with simulated ones: errors, rank correlation, and "
      "whether they meet their aims, as JSON");
  auto options = std::make_shared<AccuracyOptions>();
  command->add_option("MAPPING", options->mappings, "mapping files or listed names [all]");
  command
      ->add_option("--rules", options->rules,
                   "a rule set besides the published one; repeat the option for several")
      ->type_name("FILE|SPEC");
  command
      ->add_option("--packets", options->packets,
                   "length of the simulations, of those without a steady state 4 times as long "
                   "[20000]")
      ->type_name("N");
  command->footer("docs/prediction.md has the result for all listed mappings.");
  command->callback([options, &status] { status = run_prediction_bench(*options); });
}

void add_compiler_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand("compiler",
                                       "Measure the compiler: cycles of the published experiment "
                                       "by level, compile time, code size, as JSON");
  auto packets = std::make_shared<std::uint64_t>(2000);
  command->add_option("--packets", *packets, "length of the runs [2000]")->type_name("N");
  command->callback([packets, &status] { status = run_compiler_bench(*packets); });
}

}  // namespace

void add_bench_command(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("bench", "Measure the simulator's speed on this host, as JSON");
  auto options = std::make_shared<SpeedBenchOptions>();
  options->mappings = {"ls", "bv1", "bv2"};
  command->add_option("MAPPING", options->mappings, "mapping files or listed names [ls bv1 bv2]");
  command->add_option("--packets", options->packets, "length of the timed runs [20000]")
      ->type_name("N");
  command->add_flag_callback(
      "--no-callgrind", [options] { options->count_instructions = false; },
      "do not count host instructions, which takes minutes");
  add_activity_command(*command, status);
  add_bounds_command(*command, status);
  add_builders_command(*command, status);
  add_compiler_command(*command, status);
  add_queues_command(*command, status);
  add_prediction_command(*command, status);
  add_placements_command(*command, status);
  add_many_field_command(*command, status);
  add_match_engine_command(*command, status);
  command->callback([command, options, &status] {
    if (command->get_subcommands().empty())
      status = run_speed_bench(*options);
  });
}

}  // namespace nplab::tools
