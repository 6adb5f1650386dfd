// What a model says of the points of a space, asked as rarely as will do.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "experiments/exploration/objectives.h"
#include "experiments/exploration/space.h"

namespace nplab::experiments {

// Predicts a legal point; nothing where the model does not know it.
using PointPredictor = std::function<std::optional<MappingFigures>(const Point&)>;

// The model needs a profile, which takes a run, of each tail: the choices of tables, parameters and
// the compiler's level. A point of a tail without one is estimated by the same structure and queues
// with the profiled tail that differs from it in the fewest choices.
class Predictions {
 public:
  // Without a predictor nothing is predicted.
  Predictions(const Space& space, const PointPredictor& predictor)
      : space_(space), predictor_(predictor) {}

  // A prediction takes some milliseconds, so there are at most so many of the points that a search
  // begins with, and of a round's new ones.
  static constexpr std::size_t kMostAtOnce = 400;
  static constexpr std::size_t kMostInRound = 40;

  [[nodiscard]] bool has_model() const { return predictor_ != nullptr; }
  // Points with the tail of this one are predicted from now on.
  void add_profile(const Point& point);
  [[nodiscard]] bool has_profile(const Point& point) const;
  [[nodiscard]] std::size_t profiles() const { return tails_.size(); }

  // Predicts what estimates of the points need, at most `most`: of each kind (Space::kind) as many,
  // first those whose tasks have most threads.
  void predict(const std::vector<Point>& points, std::size_t most);

  // Of points with a profile of their own.
  [[nodiscard]] std::optional<MappingFigures> predicted(const Point& point) const;
  [[nodiscard]] std::size_t predictions() const { return predictions_; }
  // Where the model was not asked, the rate follows from the balance, in proportion to what was
  // predicted; without a model in a unit of its own.
  [[nodiscard]] MappingFigures estimate(const Point& point) const;

 private:
  using Tail = std::vector<std::uint32_t>;

  // The point with the profiled tail that is nearest to its own, of equally near ones the latest;
  // nothing without a profile.
  [[nodiscard]] std::optional<Point> with_profile(const Point& point) const;
  void ask(const Point& point);

  const Space& space_;
  const PointPredictor& predictor_;
  std::vector<Tail> tails_;
  std::map<Point, std::optional<MappingFigures>> asked_;
  std::size_t predictions_ = 0;
  MappingFigures sum_;  // of the predictions
  double balance_ = 0;  // of the predicted points, summed
};

}  // namespace nplab::experiments
