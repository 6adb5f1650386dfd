#include "experiments/studies/study_runs.h"

#include <fmt/format.h>

#include <filesystem>

#include "experiments/run/isolated_runs.h"
#include "experiments/run/prepared_run.h"

namespace nplab::experiments {
namespace {

// A file beside the study, or the name as it is written.
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

reports::RunRecord run_point(const std::string& mapping, const ExperimentOptions& options,
                             const Progress& progress) {
  const auto run = [&](const PreparedRun& prepared, Diagnostics& diagnostics) {
    return simulate({prepared.experiment, prepared.programs, "", progress}, diagnostics);
  };
  auto record = prepare_and_run(mapping, options, run);
  record.lines.clear();  // long, and no figure of a study
  record.sources.clear();
  return record;
}

IsolatedRun isolated_point(const Study& study, const StudySeries& series, const StudyPoint& point) {
  const auto run = [mapping = series.mapping, options = options_of(study, series, point)](
                       const Progress& progress) { return run_point(mapping, options, progress); };
  return {fmt::format("{} at {} {}", series.name, study.axis, point), run};
}

}  // namespace

std::optional<std::vector<StudyRun>> run_study(const Study& study, const Progress& progress,
                                               Diagnostics& diagnostics) {
  std::vector<StudyRun> planned;
  std::vector<IsolatedRun> work;
  for (std::size_t i = 0; i < study.series.size(); ++i) {
    for (const StudyPoint& point : study.series[i].points) {
      planned.push_back({i, point, {}});
      work.push_back(isolated_point(study, study.series[i], point));
    }
  }
  auto records = run_isolated(work, progress, diagnostics);
  if (!records)
    return std::nullopt;
  for (std::size_t i = 0; i < planned.size(); ++i)
    planned[i].record = std::move((*records)[i]);
  return planned;
}

}  // namespace nplab::experiments
