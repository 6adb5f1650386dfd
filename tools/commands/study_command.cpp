// nplab study: the runs of a declarative study, their figures beside the published ones, and its
// claims.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "experiments/calibration/calibration_file.h"
#include "experiments/calibration/calibration_report.h"
#include "experiments/calibration/calibration_study.h"
#include "experiments/prepare/data_files.h"
#include "experiments/run/result_store.h"
#include "experiments/studies/study_file.h"
#include "experiments/studies/study_results.h"
#include "experiments/studies/study_runs.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct StudyOptions {
  std::string name;
  std::vector<StudyPoint> points;
  bool quick = false;
  bool quiet = false;
  std::string json;
  std::string csv;
  std::string store;  // empty: none
  std::size_t at_once = processors();
  bool dry_run = false;
  std::optional<std::uint64_t> seed;  // of a calibration's samples
  std::vector<std::string> units;
};

ProgressBar::Visibility visibility(const StudyOptions& options) {
  return options.quiet ? ProgressBar::Visibility::kQuiet : ProgressBar::Visibility::kWhenTerminal;
}

// The line of the list; nothing when the file cannot be read.
std::optional<std::string> summary_of(const std::string& path, Diagnostics& diagnostics) {
  if (is_calibration_file(path)) {
    const auto calibration = read_calibration(path, CalibrationRuns::kFull, diagnostics);
    return calibration ? std::optional(calibration->summary) : std::nullopt;
  }
  const auto study = read_study(path, {}, diagnostics);
  return study ? std::optional(study->summary) : std::nullopt;
}

int list_studies() {
  int status = kDone;
  for (const DataFile& file : list_data_files(DataKind::kStudy)) {
    Diagnostics diagnostics;
    const auto summary = summary_of(file.path, diagnostics);
    if (summary)
      std::cout << fmt::format("{:<20} {}\n", file.name, *summary);
    std::cerr << diagnostics.to_string();
    if (!summary)
      status = kBadInput;
  }
  return status;
}

std::optional<std::vector<StudyRun>> run_all(const Study& study, const StudyOptions& options,
                                             const ResultStore* store, Diagnostics& diagnostics) {
  ProgressBar bar(visibility(options));
  return run_study(
      study, {store, options.at_once}, [&](double done) { bar.show(study.name, done); },
      diagnostics);
}

// How many runs there are, and how long the ones that are missing take if they take as long as
// those that are known did on average.
std::string plan_text(const StudyPlan& plan, const StudyOptions& options) {
  std::string text = fmt::format("{} runs", plan.runs);
  if (!options.store.empty())
    text += fmt::format(", {} of them in {}", plan.known, options.store);
  const std::size_t missing = plan.runs - plan.known;
  if (missing > 0 && plan.known > 0) {
    const double one = plan.seconds_of_known / static_cast<double>(plan.known);
    text += fmt::format("; the {} others take about {:.0f} s, {} at a time", missing,
                        one * static_cast<double>(missing) / static_cast<double>(options.at_once),
                        options.at_once);
  }
  return text + "\n";
}

int status_of_study(const StudyResults& results) {
  int status = kDone;
  for (const JudgedClaim& judged : results.claims()) {
    if (judged.outcome == JudgedClaim::Outcome::kFailed)
      status = kCheckFailed;
  }
  for (const StudyRun* run : results.failures())
    status = std::max(status, status_of(run->record));
  return status;
}

constexpr std::uint64_t kDefaultSeed = 1;

int calibrate(const std::string& path, const StudyOptions& options) {
  Diagnostics diagnostics;
  const auto runs = options.quick ? CalibrationRuns::kQuick : CalibrationRuns::kFull;
  const auto calibration = read_calibration(path, runs, diagnostics);
  check_output_file(options.json, diagnostics);
  if (!options.points.empty())
    diagnostics.error(without_lines(options.points.front()), "a calibration has no axis of points");
  if (!options.units.empty())
    diagnostics.error(without_lines("--unit"), "a calibration has no units");
  if (!options.csv.empty())
    diagnostics.error(without_lines("--csv"), "a calibration is written as text and by --json");
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  const std::uint64_t seed = options.seed.value_or(kDefaultSeed);
  std::optional<CalibrationResults> results;
  {
    ProgressBar bar(visibility(options));
    results = run_calibration(
        *calibration, seed, [&](const std::string& step, double done) { bar.show(step, done); },
        diagnostics);
  }
  if (results && !options.json.empty())
    write_output_file(options.json, calibration_json(*calibration, *results, seed), diagnostics);
  if (results && !options.quiet && options.json != "-")
    std::cout << render_calibration(*calibration, *results, seed);
  std::cerr << diagnostics.to_string();
  if (!results || results->kept.empty() || !results->shipped)
    return kProgramFailed;
  return diagnostics.has_errors() ? kBadInput : kDone;
}

// For those who do not see the report.
std::string failures_text(const Study& study, const StudyResults& results) {
  std::string text;
  for (const StudyRun* run : results.failures()) {
    std::string_view message = run->record.failure->message;
    while (message.ends_with('\n'))
      message.remove_suffix(1);
    text += fmt::format("nplab: error: {}: {}\n", run_name(study, *run), message);
  }
  return text;
}

int study(const StudyOptions& options) {
  if (options.name.empty())
    return list_studies();
  Diagnostics diagnostics;
  const auto path =
      find_data_file(DataKind::kStudy, options.name, without_lines(options.name), diagnostics);
  if (path && is_calibration_file(*path))
    return calibrate(*path, options);
  const auto size = options.quick ? StudySize::kQuick : StudySize::kFull;
  auto chosen = path ? read_study(*path, {size, options.points}, diagnostics) : std::nullopt;
  if (chosen)
    chosen->options.units = options.units;
  if (options.seed)
    diagnostics.error(without_lines("--seed"),
                      "only a calibration draws settings; a study's seed is a key of its options");
  check_output_file(options.json, diagnostics);
  check_output_file(options.csv, diagnostics);
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  const auto store =
      options.store.empty() ? std::nullopt : ResultStore::open(options.store, diagnostics);
  if (options.dry_run && !diagnostics.has_errors()) {
    const auto plan = plan_study(*chosen, store ? &*store : nullptr, diagnostics);
    std::cerr << diagnostics.to_string();
    std::cout << plan_text(plan, options);
    return kDone;
  }
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  auto runs = run_all(*chosen, options, store ? &*store : nullptr, diagnostics);
  if (!runs) {
    std::cerr << diagnostics.to_string();
    return kProgramFailed;
  }
  const StudyResults results(*chosen, std::move(*runs));
  if (!options.json.empty())
    write_output_file(options.json, study_json(*chosen, results), diagnostics);
  if (!options.csv.empty())
    write_output_file(options.csv, study_csv(*chosen, results), diagnostics);
  if (!options.quiet && options.json != "-" && options.csv != "-")
    std::cout << render_study(*chosen, results);
  else
    std::cerr << failures_text(*chosen, results);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : status_of_study(results);
}

}  // namespace

void add_study_command(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("study", "Run a study: runs along an axis, published figures, claims");
  auto options = std::make_shared<StudyOptions>();
  command->add_option("STUDY", options->name,
                      "a study file or a listed name; without it, list the studies");
  command->add_option(
      "POINT", options->points,
      "points of the axis instead of the study's own, such as numbers of threads or rule sets; "
      "with several axes NAME=VALUE: the combinations that have one of the values of each NAME");
  command->add_flag("--quick", options->quick,
                    "run the fewer points and packets of the study's `quick`");
  command
      ->add_option("--json", options->json,
                   "write figures and claims to FILE (- for standard output)")
      ->type_name("FILE");
  command
      ->add_option("--csv", options->csv,
                   "write a line per series and point to FILE (- for standard output)")
      ->type_name("FILE");
  add_unit_option(*command, options->units, "Options");
  command->add_option("--seed", options->seed, "seed of the settings that a calibration draws [1]")
      ->type_name("N");
  command
      ->add_option("--store", options->store,
                   "take the results that folder DIR has, and keep there what is run (nplab store)")
      ->type_name("DIR");
  command
      ->add_option("--jobs", options->at_once, "runs at a time [as many as there are processors]")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--dry-run", options->dry_run,
                    "run nothing: say how many runs there are, how many of them the store has, and "
                    "how long the others take");
  command->add_flag("--quiet", options->quiet, "print no report and show no progress");
  command->callback([options, &status] { status = study(*options); });
}

}  // namespace nplab::tools
