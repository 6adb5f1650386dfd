// The points that a search may choose from, with what is known of each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "experiments/exploration/objectives.h"
#include "experiments/exploration/search.h"
#include "experiments/exploration/space.h"
#include "workloads/base/random.h"

namespace nplab::experiments {

// A space of at most so many points is searched whole; of a larger one the structures, with the
// first choice on every other axis, or as many of them drawn at random, and neighbours of the best.
inline constexpr std::size_t kMostCandidates = 5000;
// A prediction takes some milliseconds, so there are at most so many at the start, and of the
// neighbours in a round.
inline constexpr std::size_t kMostPredictions = 400;
inline constexpr std::size_t kMostNewPredictions = 40;

class Candidates {
 public:
  Candidates(const Space& space, const PointPredictor& predictor, workloads::Random& random);

  // Whether every legal point of the space is or was a candidate.
  [[nodiscard]] bool holds_all() const { return holds_all_; }
  void add_all();
  // Those that were not taken, in the order of the space.
  [[nodiscard]] std::vector<Point> open() const;
  // Adds a point if it is legal; false if it is not, or was taken.
  bool add(const Point& point);
  // Predicts those of the points that have no prediction, at most `most`: of each kind
  // (Space::kind) as many, first those whose tasks have most threads.
  void predict(const std::vector<Point>& points, std::size_t most);
  // It is chosen, and no candidate any more.
  void take(const Point& point) { known_.at(point).is_taken = true; }

  [[nodiscard]] std::optional<MappingFigures> predicted(const Point& point) const {
    return known_.at(point).predicted;
  }
  [[nodiscard]] std::size_t predictions() const { return predictions_; }
  // The mean of what was predicted, and of the points' balance.
  [[nodiscard]] MappingFigures mean_prediction() const;
  [[nodiscard]] double mean_balance() const;

 private:
  void ask(const Point& point);

  struct Known {
    bool is_legal = false;
    bool is_taken = false;
    bool was_asked = false;  // the model was
    std::optional<MappingFigures> predicted;
  };

  const Space& space_;
  const PointPredictor& predictor_;
  std::map<Point, Known> known_;
  std::size_t predictions_ = 0;
  MappingFigures sum_;  // of the predictions
  double balance_ = 0;  // of the points that have one, summed
  bool holds_all_ = false;
};

}  // namespace nplab::experiments
