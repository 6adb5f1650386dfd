// nplab check and nplab show: a mapping without simulating it.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "experiments/prepare/experiment.h"
#include "experiments/prepare/unit_choices.h"
#include "mappings/resolver/show.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct ShowOptions {
  std::string mapping;
  ExperimentOptions experiment;
  bool dot = false;
  bool brief = false;
};

// A mapping can be checked without the units; those that are given must be right.
void check_given_units(const Experiment& experiment, Diagnostics& diagnostics) {
  if (experiment.options.units.empty())
    return;
  check_units(experiment.options, experiment.chip, diagnostics);
  check_unit_names(experiment.options, {&experiment.chip}, diagnostics);
}

int check(const ShowOptions& options) {
  Diagnostics diagnostics;
  const auto experiment = prepare_experiment(options.mapping, options.experiment, diagnostics);
  if (experiment)
    check_given_units(*experiment, diagnostics);
  const auto programs = experiment && !diagnostics.has_errors()
                            ? compile_programs(*experiment, diagnostics)
                            : std::nullopt;
  std::cerr << diagnostics.to_string();
  if (!programs)
    return kBadInput;
  for (const CompiledProgram& program : *programs) {
    std::cout << fmt::format("engine {}: {}: {} of {} control-store words\n",
                             program.composed.engine, program.composed.role,
                             program.image.words.size(),
                             experiment->chip.engine.control_store_words);
  }
  std::cout << fmt::format("{}: no errors\n", experiment->mapping.name);
  return kDone;
}

int show(const ShowOptions& options) {
  Diagnostics diagnostics;
  const auto experiment = prepare_experiment(options.mapping, options.experiment, diagnostics);
  const auto composed =
      experiment && !options.dot ? compose_programs(*experiment, diagnostics) : std::nullopt;
  std::cerr << diagnostics.to_string();
  if (!experiment || (!composed && !options.dot))
    return kBadInput;
  if (options.dot) {
    std::cout << mappings::show_dot(experiment->placement());
    return kDone;
  }
  std::cout << mappings::show_text(experiment->placement());
  if (options.brief)
    return kDone;
  std::cout << "\nPrograms\n";
  for (const auto& program : *composed) {
    std::cout << fmt::format("\n--- engine {} ({}): {}\n{}", program.engine, program.role,
                             program.file.empty() ? program.name : program.file, program.source);
  }
  return kDone;
}

}  // namespace

void add_check_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "check", "Validate a mapping without running it: schema, placement, fit, wiring");
  auto options = std::make_shared<ShowOptions>();
  command->add_option("MAPPING", options->mapping, "a mapping file or a listed name")->required();
  add_experiment_options(*command, options->experiment);
  add_unit_option(*command, options->experiment.units, "Experiment");
  command->callback([options, &status] { status = check(*options); });
}

void add_show_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "show", "Show what a mapping becomes: stages, queues, memory map, generated programs");
  auto options = std::make_shared<ShowOptions>();
  command->add_option("MAPPING", options->mapping, "a mapping file or a listed name")->required();
  auto* dot = command->add_flag("--dot", options->dot, "print the stage graph for Graphviz");
  command->add_flag("--brief", options->brief, "leave out the generated engine programs")
      ->excludes(dot);
  add_experiment_options(*command, options->experiment);
  command->callback([options, &status] { status = show(*options); });
}

}  // namespace nplab::tools
