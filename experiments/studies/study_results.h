// What the runs of a study gave: its figures as tables, its claims judged.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/studies/study_file.h"
#include "experiments/studies/study_statistics.h"
#include "reports/record/run_record.h"

namespace nplab::experiments {

struct StudyRun {
  std::size_t series = 0;  // of the study
  StudyPoint point;
  reports::RunRecord record;
  std::size_t repetition = 0;
};

// Of a study whose points are run several times.
std::uint64_t seed_of(const StudyRepetition& repeat, const StudyRun& run);

// `bv1 at threads 8`, `bv1 at entries=16, threads=2 with seed 3`: for messages.
std::string run_name(const Study& study, const StudyRun& run);

struct JudgedClaim {
  enum class Outcome {
    kHeld,
    kFailed,
    kNotLookedAt
  };  // the last: this size of the study has none of its points
  const StudyClaim* claim = nullptr;
  Outcome outcome{};
  std::vector<std::pair<StudyPoint, double>>
      values;  // the figures, or their ratios, point by point; means of repeated runs
};

class StudyResults {
 public:
  // Keeps a reference to the study.
  StudyResults(const Study& study, std::vector<StudyRun> runs);

  [[nodiscard]] const std::vector<StudyRun>& runs() const { return runs_; }
  // A figure of the study or of its claims at one point: the mean of the runs that have it.
  [[nodiscard]] std::optional<double> value(const std::string& metric, const std::string& series,
                                            const StudyPoint& point) const;
  // The figure of each repetition, in their order.
  [[nodiscard]] std::vector<std::optional<double>> values(const std::string& metric,
                                                          const std::string& series,
                                                          const StudyPoint& point) const;
  // The figure divided by that of `base`, repetition by repetition, so that both had one seed.
  [[nodiscard]] std::vector<std::optional<double>> ratios(const std::string& metric,
                                                          const std::string& series,
                                                          const StudyPoint& point,
                                                          const StudyReference& base) const;
  [[nodiscard]] std::vector<JudgedClaim> claims() const;
  // Runs that failed: a verdict was wrong, packets were lost, the program faulted.
  [[nodiscard]] std::vector<const StudyRun*> failures() const;
  // Where the study expects it: runs for whose rules the mapping has no room.
  [[nodiscard]] std::vector<const StudyRun*> refusals() const;
  [[nodiscard]] bool is_refused(const std::string& series, const StudyPoint& point) const;

 private:
  [[nodiscard]] std::optional<double> claimed(const StudyClaim& claim,
                                              const StudyPoint& point) const;
  [[nodiscard]] bool is_refusal(const StudyRun& run) const;
  // The first of the repetitions of a point; nothing when it is not run.
  [[nodiscard]] std::optional<std::size_t> first_run(const std::string& series,
                                                     const StudyPoint& point) const;

  const Study& study_;
  std::vector<StudyRun> runs_;
  std::vector<std::string> metrics_;                         // of figures and claims
  std::vector<std::vector<std::optional<double>>> figures_;  // by run, in the order of metrics_
  std::map<std::pair<std::string, StudyPoint>, std::size_t> first_runs_;
  std::vector<bool> has_accepted_;  // by series: a run whose input was not refused
};

// The mean, and with what is known of it, of the values that are there; nothing of none.
std::optional<MeanAndInterval> summary_of(const Study& study,
                                          const std::vector<std::optional<double>>& values);

// What the figures of a series are divided by, if anything.
const std::optional<StudyReference>& base_of(const Study& study, const StudySeries& series);

std::string render_study(const Study& study, const StudyResults& results);
std::string study_json(const Study& study, const StudyResults& results);
// RFC 4180: a line per series and point, a column per name that is varied and per figure.
std::string study_csv(const Study& study, const StudyResults& results);

}  // namespace nplab::experiments
