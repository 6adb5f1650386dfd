#include "experiments/studies/study_runs.h"

#include <fmt/format.h>

#include <filesystem>

#include "experiments/prepare/run_key.h"
#include "experiments/run/prepared_run.h"
#include "experiments/studies/study_points.h"
#include "reports/record/lean_record.h"

namespace nplab::experiments {
namespace {

// A file beside the study, or the name as it is written.
std::string file_of(const Study& study, const std::string& word) {
  const auto beside = std::filesystem::path(study.folder) / word;
  return !word.empty() && std::filesystem::is_regular_file(beside) ? beside.string() : word;
}

// What stands for the point in a text, and for the seed of a repetition.
std::string filled_in(const Study& study, const StudyRun& run, const std::string& text) {
  std::string filled = with_point(text, study, run.point);
  if (study.repeat)
    filled = with_value(std::move(filled), "seed", std::to_string(seed_of(*study.repeat, run)));
  return filled;
}

ExperimentOptions options_of(const Study& study, const StudyRun& run) {
  const StudySeries& series = study.series[run.series];
  ExperimentOptions options = study.options;
  if (study.repeat)
    options.seed = seed_of(*study.repeat, run);
  if (!series.rules.empty())
    options.rules = series.rules;
  if (!series.traffic.empty())
    options.traffic = {series.traffic};
  options.set.insert(options.set.end(), series.set.begin(), series.set.end());
  const auto own = series.set_at.find(run.point);
  if (own != series.set_at.end())
    options.set.insert(options.set.end(), own->second.begin(), own->second.end());
  options.chip = file_of(study, filled_in(study, run, options.chip));
  options.workload = filled_in(study, run, options.workload);
  options.rules = file_of(study, filled_in(study, run, options.rules));
  for (std::string& traffic : options.traffic)
    traffic = file_of(study, filled_in(study, run, traffic));
  options.updates = file_of(study, filled_in(study, run, options.updates));
  for (std::string& one : options.set)
    one = filled_in(study, run, one);
  return options;
}

reports::RunRecord run_point(const std::string& mapping, const ExperimentOptions& options,
                             const Progress& progress) {
  const auto run = [&](const PreparedRun& prepared, Diagnostics& diagnostics) {
    return simulate({prepared.experiment, prepared.programs, "", progress}, diagnostics);
  };
  auto record = prepare_and_run(mapping, options, run);
  reports::make_lean(record);  // what is left out is long, and no figure of a study
  return record;
}

// The place of a run in a store. Wrong input has none: the run says what is wrong.
std::optional<std::string> key_of(const Study& study, const StudyRun& run) {
  const StudySeries& series = study.series[run.series];
  Diagnostics unread;
  return run_key(file_of(study, series.mapping), options_of(study, run),
                 reports::RecordDetail::kLean, unread);
}

IsolatedRun isolated_point(const Study& study, const StudyRun& planned, const ResultStore* store,
                           std::optional<std::string> key) {
  const StudySeries& series = study.series[planned.series];
  const auto run = [mapping = file_of(study, series.mapping), options = options_of(study, planned),
                    store, key = std::move(key)](const Progress& progress) {
    reports::RunRecord record = run_point(mapping, options, progress);
    Diagnostics unwritable;
    if (store != nullptr && key && (!record.failure || record.failure->kind != kRefusedInput))
      store->keep(*key, record, unwritable);
    if (unwritable.has_errors())
      record.failure = {"output", unwritable.to_string(), {}};
    return record;
  };
  return {run_name(study, planned), run};
}

std::vector<StudyRun> planned_runs(const Study& study) {
  std::vector<StudyRun> planned;
  for (std::size_t i = 0; i < study.series.size(); ++i)
    for (const StudyPoint& point : study.series[i].points)
      for (std::size_t k = 0; k < study.repetitions(); ++k)
        planned.push_back({i, point, {}, k});
  return planned;
}

}  // namespace

std::optional<std::vector<StudyRun>> run_study(const Study& study, const StudyExecution& execution,
                                               const Progress& progress, Diagnostics& diagnostics) {
  std::vector<StudyRun> planned = planned_runs(study);
  std::vector<IsolatedRun> work;
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    auto key = execution.store != nullptr ? key_of(study, planned[i]) : std::nullopt;
    if (auto known = key ? execution.store->find(*key, diagnostics) : std::nullopt) {
      planned[i].record = std::move(*known);
      continue;
    }
    missing.push_back(i);
    work.push_back(isolated_point(study, planned[i], execution.store, std::move(key)));
  }
  auto records = run_isolated(work, progress, diagnostics, execution.at_once);
  if (!records)
    return std::nullopt;
  for (std::size_t i = 0; i < missing.size(); ++i)
    planned[missing[i]].record = std::move((*records)[i]);
  return planned;
}

StudyPlan plan_study(const Study& study, const ResultStore* store, Diagnostics& diagnostics) {
  StudyPlan plan;
  for (const StudyRun& run : planned_runs(study)) {
    ++plan.runs;
    const auto key = store != nullptr ? key_of(study, run) : std::nullopt;
    const auto known = key ? store->find(*key, diagnostics) : std::nullopt;
    plan.known += known ? 1 : 0;
    plan.seconds_of_known += known ? known->host.wall_s : 0;
  }
  return plan;
}

}  // namespace nplab::experiments
