// What a calibration's results say, by its rule.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/calibration/calibration_study.h"

namespace nplab::experiments {

struct PredictedFigure {
  Percentiles range;
  std::optional<double> shipped;
  bool is_predicted = false;
};

struct Conclusions {
  std::vector<RemainingRange> ranges;  // in the order of the parameters
  std::vector<Correlation> correlations;
  std::map<std::string, std::map<std::string, PredictedFigure>> predictions;  // by mapping
};

inline constexpr double kLeastCorrelation = 0.4;  // that is reported

Conclusions conclusions_of(const Calibration& calibration, const CalibrationResults& results);

}  // namespace nplab::experiments
