// nplab predict: rates, latency, uses and the bound of mappings, without simulating them.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "experiments/prediction/code/code_prices.h"
#include "experiments/prediction/prediction_report.h"
#include "experiments/prediction/profile_cache.h"
#include "experiments/prepare/chosen_mapping.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct PredictOptions {
  std::vector<std::string> mappings;
  ExperimentOptions experiment;
  std::string profiled;  // the mapping whose run gives the demands; empty: the predicted one
  std::string json;
  bool shows_demands = false;
  bool quiet = false;
};

std::optional<Experiment> prepare(const std::string& text, const PredictOptions& options,
                                  ProgressBar& bar, Diagnostics& diagnostics) {
  const ChosenMapping chosen = parse_chosen_mapping(text);
  ExperimentOptions with_own = options.experiment;
  with_own.set.insert(with_own.set.end(), chosen.set.begin(), chosen.set.end());
  auto experiment =
      prepare_experiment(chosen.name, with_own, diagnostics,
                         [&](const std::string& step, double done) { bar.show(step, done); });
  if (!experiment || !can_predict(*experiment, diagnostics))
    return std::nullopt;
  return experiment;
}

bool is_profile_of(const AlgorithmProfile& profile, const Experiment& experiment,
                   Diagnostics& diagnostics) {
  if (profile.algorithm == experiment.placement().algorithm)
    return true;
  diagnostics.error(
      without_lines("--from"),
      fmt::format("'{}' is a mapping of {}, but '{}' is one of {}", profile.mapping,
                  profile.algorithm, experiment.mapping.name, experiment.placement().algorithm));
  return false;
}

void add(const AlgorithmProfile& profile, ProfileUse& use) {
  use.packets += profile.packets;
  use.seconds += profile.seconds;
  use.cached = use.cached && profile.cached;
}

// Empty, with diagnostics, when any mapping cannot be predicted.
std::vector<Prediction> predict_all(const PredictOptions& options, ProfileUse& use,
                                    Diagnostics& diagnostics) {
  ProgressBar bar(options.quiet ? ProgressBar::Visibility::kQuiet
                                : ProgressBar::Visibility::kWhenTerminal);
  std::optional<AlgorithmProfile> shared;
  if (!options.profiled.empty()) {
    const auto profiled = prepare(options.profiled, options, bar, diagnostics);
    shared = profiled ? obtain_profile(*profiled, diagnostics) : std::nullopt;
    if (shared)
      add(*shared, use);
  }
  std::vector<Prediction> predictions;
  for (const std::string& mapping : options.mappings) {
    const auto experiment = prepare(mapping, options, bar, diagnostics);
    if (!experiment || (!options.profiled.empty() && !shared))
      continue;
    const auto own = shared ? std::nullopt : obtain_profile(*experiment, diagnostics);
    const AlgorithmProfile* profile = shared ? &*shared : own ? &*own : nullptr;
    if (profile == nullptr || !is_profile_of(*profile, *experiment, diagnostics))
      continue;
    if (own)
      add(*own, use);
    const auto priced = shared ? price_code(*shared, *experiment, diagnostics) : std::nullopt;
    if (shared && !priced)
      continue;
    predictions.push_back(experiments::predict(priced ? *priced : *profile, *experiment));
  }
  return predictions;
}

int predict(const PredictOptions& options) {
  Diagnostics diagnostics;
  check_output_file(options.json, diagnostics);
  ProfileUse use;
  const auto predictions = predict_all(options, use, diagnostics);
  if (!diagnostics.has_errors() && !options.json.empty())
    write_output_file(options.json, predictions_json(predictions, use), diagnostics);
  if (!diagnostics.has_errors() && !options.quiet && options.json != "-")
    std::cout << render_predictions(
        predictions, use, options.shows_demands ? ShownDemands::kStages : ShownDemands::kNone);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

}  // namespace

void add_predict_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "predict",
      "Predict packets per second, latency and the bound of mappings, without simulating "
      "them");
  command->footer(
      "What the parts of the algorithm demand is measured once, in a run of 500 packets or as many "
      "as its manifest says, and kept (nplab cache). docs/prediction.md derives the model and says "
      "how far it can be trusted.\nExit status: 0 done; 2 bad input.");
  auto options = std::make_shared<PredictOptions>();
  command
      ->add_option("MAPPING", options->mappings,
                   "mapping files or listed names (nplab list); MAPPING:KEY=VALUE overrides keys "
                   "of that mapping")
      ->required();
  command
      ->add_option("--from", options->profiled,
                   "measure the algorithm in this mapping of it, instead of in each predicted one")
      ->type_name("MAPPING");
  add_experiment_options(*command, options->experiment);
  // What is predicted is the steady state of endless traffic.
  for (const char* unused : {"--drain", "--packets", "--updates", "--mode"})
    command->remove_option(command->get_option(unused));
  command
      ->add_option("--json", options->json, "write the predictions to FILE (- for standard output)")
      ->type_name("FILE");
  command->add_flag("--demands", options->shows_demands,
                    "print what a packet asks of each stage: engine cycles, references, delays");
  command->add_flag("--quiet", options->quiet, "print no report and show no progress");
  command->callback([options, &status] { status = predict(*options); });
}

}  // namespace nplab::tools
