// nplab study: the runs of a declarative study, their figures beside the published ones, and its
// claims.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "experiments/prepare/data_files.h"
#include "experiments/studies/study_file.h"
#include "experiments/studies/study_results.h"
#include "experiments/studies/study_runs.h"
#include "tools/commands/commands.h"
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

std::optional<std::vector<StudyRun>> run_all(const Study& study, const StudyOptions& options,
                                             Diagnostics& diagnostics) {
  ProgressBar bar(options.quiet ? ProgressBar::Visibility::kQuiet
                                : ProgressBar::Visibility::kWhenTerminal);
  return run_study(study, [&](double done) { bar.show(study.name, done); }, diagnostics);
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
  auto runs = run_all(*chosen, options, diagnostics);
  if (!runs) {
    std::cerr << diagnostics.to_string();
    return kProgramFailed;
  }
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
  auto* command =
      app.add_subcommand("study", "Run a study: runs along an axis, published figures, claims");
  auto options = std::make_shared<StudyOptions>();
  command->add_option("STUDY", options->name,
                      "a study file or a listed name; without it, list the studies");
  command->add_option(
      "POINT", options->points,
      "points of the axis instead of the study's own, such as numbers of threads or rule sets");
  command->add_flag("--quick", options->quick,
                    "run the fewer points and packets of the study's `quick`");
  command
      ->add_option("--json", options->json,
                   "write figures and claims to FILE (- for standard output)")
      ->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "print no report and show no progress");
  command->callback([options, &status] { status = study(*options); });
}

}  // namespace nplab::tools
