// How near a run comes to the printed figures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/analysis/published.h"
#include "reports/record/run_record.h"

namespace nplab::experiments {

// Figures of a run by name: those of published/ixp1200-overall.csv, and `engine0.executing_pct`,
// `.aborted_pct`, `.stalled_pct`, `.idle_pct`, `.mips` of each engine.
using Figures = std::map<std::string, double>;
Figures figures_of(const reports::RunRecord& record);

// The limits of acceptability of a figure.
struct Limit {
  std::vector<std::string> figures;  // `receive_rate`, `rcv.executing_pct`, ...
  double within = 0;
  bool is_relative = false;  // `within` is in percent of the printed figure, else in its unit
  std::size_t weight = 1;    // how many figures each of these counts as
};

// A printed figure that a setting is judged by. Engines of one role are one figure, their mean:
// printed, they are alike.
struct Target {
  std::string mapping;  // as the user names it: `ls`
  std::string figure;   // `receive_rate`, `cls.idle_pct`
  double printed = 0;
  double within = 0;  // in the figure's unit
  std::size_t weight = 1;
};

// The targets of a mapping whose figures are printed, for every figure that has a limit.
std::vector<Target> targets_of(const std::string& mapping, const reports::PublishedRun& published,
                               const std::vector<Limit>& limits);

// The value of a target's figure in a run; roles are those of `published`.
double target_value(const Target& target, const Figures& figures,
                    const reports::PublishedRun& published);

// One target beside a run.
struct Deviation {
  double ours = 0;
  double limits_away = 0;  // |ours - printed| / within
  [[nodiscard]] bool is_met() const { return limits_away <= 1; }
};

struct Score {
  std::vector<Deviation> deviations;  // in the order of the targets
  std::size_t met = 0;                // figures
  std::size_t points = 0;             // their weights
  double distance =
      0;  // weighted mean of the deviations in limits, each counted as at most kFarthest

  // More points, then nearer.
  [[nodiscard]] bool is_better_than(const Score& other) const;
};
inline constexpr double kFarthest = 4;

Score score_of(const std::vector<Target>& targets, const std::vector<double>& values);

}  // namespace nplab::experiments
