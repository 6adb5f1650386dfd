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

// A space of at most so many points is predicted whole; of a larger one the structures, with the
// first choice on every other axis, or as many of them drawn at random.
inline constexpr std::size_t kMostCandidates = 5000;

class Candidates {
 public:
  Candidates(const Space& space, const Predictor& predictor, workloads::Random& random);

  // Those that were not taken, in the order of the space.
  [[nodiscard]] std::vector<Point> open() const;
  // Adds a point if it is legal; false if it is not, or was taken.
  bool add(const Point& point);
  // It is chosen, and no candidate any more.
  void take(const Point& point) { known_.at(point).is_taken = true; }

  [[nodiscard]] std::optional<Figures> predicted(const Point& point) const {
    return known_.at(point).predicted;
  }
  [[nodiscard]] std::size_t predictions() const { return predictions_; }

 private:
  struct Known {
    bool is_legal = false;
    bool is_taken = false;
    std::optional<Figures> predicted;
  };

  const Space& space_;
  const Predictor& predictor_;
  std::map<Point, Known> known_;
  std::size_t predictions_ = 0;
};

}  // namespace nplab::experiments
