// What the kept settings say of the parameters and of figures that were not fitted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/calibration/parameter_space.h"
#include "experiments/calibration/scoring.h"

namespace nplab::experiments {

// The settings that are kept by the rule: all that have at most `slack` points fewer than the
// best; the slack grows by one point at a time until `least` are kept, or all are.
struct KeptSettings {
  std::vector<std::size_t> indices;  // into the scores, the best first
  std::size_t slack = 0;             // that was needed
};
KeptSettings kept_by_rule(const std::vector<Score>& scores, std::size_t slack, std::size_t least);

struct RemainingRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
  double share_pct = 0;  // of the steps between all of its levels
  bool is_identified = false;
};

// The range of each parameter over the settings. None is identified when there are fewer than
// `least` settings: few settings span little by chance.
std::vector<RemainingRange> remaining_ranges(const std::vector<OpenParameter>& parameters,
                                             const std::vector<Setting>& settings,
                                             double identified_below_pct, std::size_t least);

// Spearman's rank correlation of two parameters over the settings.
struct Correlation {
  std::size_t first = 0;
  std::size_t second = 0;
  double coefficient = 0;
};

// The pairs of at least `least_coefficient`, whatever its sign, the strongest first.
std::vector<Correlation> correlations(const std::vector<OpenParameter>& parameters,
                                      const std::vector<Setting>& settings,
                                      double least_coefficient);

struct Percentiles {
  double p5 = 0;
  double p50 = 0;
  double p95 = 0;
  // Whether p95 - p5 is at most so many percent of the median, or is no more than a printed digit.
  [[nodiscard]] bool is_within(double percent) const;
};

// Interpolated between the two nearest ranks. `values` are not empty.
Percentiles percentiles_of(std::vector<double> values);

}  // namespace nplab::experiments
