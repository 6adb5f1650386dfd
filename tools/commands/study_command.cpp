// nplab study: the runs of a declarative study, their figures beside the published ones, and its
// claims.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/prepare/data_files.h"
#include "experiments/run/isolated_runs.h"
#include "experiments/run/simulate.h"
#include "experiments/studies/study_file.h"
#include "experiments/studies/study_results.h"
#include "tools/commands/commands.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"

namespace nplab::tools {

using namespace experiments;
namespace {

constexpr const char* kInputFailure = "input";

struct StudyOptions {
  std::string name;
  std::vector<StudyPoint> points;
  bool quick = false;
  bool quiet = false;
  std::string json;
};

int list_studies() {
  int status = kDone;
  for (const DataFile& file : list_data_files(DataKind::kStudy)) {
    Diagnostics diagnostics;
    const auto study = read_study(file.path, {}, diagnostics);
    if (study)
      std::cout << fmt::format("{:<20} {}\n", file.name, study->summary);
    std::cerr << diagnostics.to_string();
    if (!study)
      status = kBadInput;
  }
  return status;
}

// A file beside the study, else the word as it stands.
std::string file_of(const Study& study, const std::string& word) {
  const auto beside = std::filesystem::path(study.folder) / word;
  return !word.empty() && std::filesystem::is_regular_file(beside) ? beside.string() : word;
}

ExperimentOptions options_of(const Study& study, const StudySeries& series,
                             const StudyPoint& point) {
  ExperimentOptions options = study.options;
  if (!series.rules.empty())
    options.rules = series.rules;
  if (!series.traffic.empty())
    options.traffic = {series.traffic};
  options.set.insert(options.set.end(), series.set.begin(), series.set.end());
  const auto own = series.set_at.find(point);
  if (own != series.set_at.end())
    options.set.insert(options.set.end(), own->second.begin(), own->second.end());
  options.rules = file_of(study, with_point(options.rules, study.axis, point));
  for (std::string& traffic : options.traffic)
    traffic = file_of(study, with_point(traffic, study.axis, point));
  options.updates = file_of(study, with_point(options.updates, study.axis, point));
  for (std::string& one : options.set)
    one = with_point(one, study.axis, point);
  return options;
}

// The whole run in the child: a study has too many to prepare beforehand.
reports::RunRecord run_point(const std::string& mapping, const ExperimentOptions& options,
                             const Progress& progress) {
  Diagnostics diagnostics;
  reports::RunRecord record;
  const auto experiment = prepare_experiment(mapping, options, diagnostics);
  const auto programs = experiment ? compile_programs(*experiment, diagnostics) : std::nullopt;
  if (programs)
    record = simulate({*experiment, *programs, "", progress}, diagnostics);
  if (diagnostics.has_errors())
    record.failure = {kInputFailure, diagnostics.to_string(), {}};
  record.lines.clear();  // long, and no figure of a study
  record.sources.clear();
  return record;
}

std::optional<std::vector<StudyRun>> run_all(const Study& study, const StudyOptions& options) {
  std::vector<StudyRun> planned;
  std::vector<IsolatedRun> work;
  for (std::size_t i = 0; i < study.series.size(); ++i) {
    for (const StudyPoint& point : study.series[i].points) {
      planned.push_back({i, point, {}});
      work.push_back([mapping = study.series[i].mapping,
                      run = options_of(study, study.series[i], point)](const Progress& progress) {
        return run_point(mapping, run, progress);
      });
    }
  }
  ProgressBar bar(options.quiet ? ProgressBar::Visibility::kQuiet
                                : ProgressBar::Visibility::kWhenTerminal);
  std::size_t broken = 0;
  auto records = run_isolated(work, [&](double done) { bar.show(study.name, done); }, broken);
  if (!records) {
    std::cerr << fmt::format("nplab: error: the run of {} at {} {} ended without a record\n",
                             study.series[planned[broken].series].name, study.axis,
                             planned[broken].point);
    return std::nullopt;
  }
  for (std::size_t i = 0; i < planned.size(); ++i)
    planned[i].record = std::move((*records)[i]);
  return planned;
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

int study(const StudyOptions& options) {
  if (options.name.empty())
    return list_studies();
  Diagnostics diagnostics;
  const auto path =
      find_data_file(DataKind::kStudy, options.name, {options.name, 0, 0}, diagnostics);
  const auto size = options.quick ? StudySize::kQuick : StudySize::kFull;
  const auto chosen = path ? read_study(*path, {size, options.points}, diagnostics) : std::nullopt;
  check_output_file(options.json, diagnostics);
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  auto runs = run_all(*chosen, options);
  if (!runs)
    return kProgramFailed;
  const StudyResults results(*chosen, std::move(*runs));
  if (!options.json.empty())
    write_output_file(options.json, study_json(*chosen, results), diagnostics);
  if (!options.quiet && options.json != "-")
    std::cout << render_study(*chosen, results);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : status_of_study(results);
}

}  // namespace

void add_study_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "study", "Carry out a study: runs along an axis, published figures, claims");
  auto options = std::make_shared<StudyOptions>();
  command->add_option("STUDY", options->name,
                      "a study file or a listed name; without it the studies are listed");
  command->add_option("POINT", options->points,
                      "points of the axis, instead of the study's: numbers of threads, rule sets, "
                      "as the study has them");
  command->add_flag("--quick", options->quick,
                    "fewer points and packets, as the study's `quick` says");
  command
      ->add_option("--json", options->json, "write figures and claims there; - is standard output")
      ->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "no report and no progress");
  command->callback([options, &status] { status = study(*options); });
}

}  // namespace nplab::tools
