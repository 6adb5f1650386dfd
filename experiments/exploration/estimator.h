// What a point is expected to show: the model's prediction, corrected by what was simulated.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/exploration/correction.h"
#include "experiments/exploration/journal.h"
#include "experiments/exploration/predictions.h"
#include "experiments/exploration/space.h"

namespace nplab::experiments {

enum class RunLength { kShort, kFull };

class Estimator {
 public:
  // What it refers to outlives it.
  Estimator(const Space& space, const Predictions& predictions)
      : space_(space), predictions_(predictions) {}

  void learn(const Point& point, RunLength length, const Outcome& outcome);
  // Fits the corrections to what was learnt, with the predictions as they are now.
  void fit();

  // Of a run at full length, as of the last fit. A choice whose runs failed lowers the rate by the
  // share that failed.
  [[nodiscard]] MappingFigures estimate(const Point& point) const;
  // The points that ran, with their figures at the greatest length.
  [[nodiscard]] const std::map<Point, MappingFigures>& seen() const { return seen_; }
  // Whether a run had the choice that the point makes on each axis after the structure.
  [[nodiscard]] bool is_tested(const Point& point) const;

 private:
  struct Runs {
    std::size_t all = 0;
    std::size_t failed = 0;
  };

  [[nodiscard]] Correction correction(double MappingFigures::* predicted,
                                      double MappingFigures::* simulated) const;
  [[nodiscard]] double success(const std::vector<std::string>& features) const;

  const Space& space_;
  const Predictions& predictions_;
  std::map<Point, MappingFigures> seen_;
  std::map<Point, RunLength> lengths_;
  std::map<std::string, Runs> runs_;  // by feature
  Correction rate_;
  Correction latency_;
};

}  // namespace nplab::experiments
