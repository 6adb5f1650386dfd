// What the runs of a study gave: its figures as tables, its claims judged.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/studies/study_file.h"
#include "reports/record/run_record.h"

namespace nplab::experiments {

struct StudyRun {
  std::size_t series = 0;  // of the study
  StudyPoint point;
  reports::RunRecord record;
};

struct JudgedClaim {
  enum class Outcome {
    kHeld,
    kFailed,
    kNotLookedAt
  };  // the last: this size of the study has none of its points
  const StudyClaim* claim = nullptr;
  Outcome outcome{};
  std::vector<std::pair<StudyPoint, double>>
      values;  // the figures, or their ratios, point by point
};

class StudyResults {
 public:
  // Keeps a reference to the study.
  StudyResults(const Study& study, std::vector<StudyRun> runs)
      : study_(study), runs_(std::move(runs)) {}

  [[nodiscard]] const std::vector<StudyRun>& runs() const { return runs_; }
  [[nodiscard]] std::optional<double> value(const std::string& metric, const std::string& series,
                                            const StudyPoint& point) const;
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

  const Study& study_;
  std::vector<StudyRun> runs_;
};

std::string render_study(const Study& study, const StudyResults& results);
std::string study_json(const Study& study, const StudyResults& results);

}  // namespace nplab::experiments
