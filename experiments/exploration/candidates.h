// The points that a search may choose from.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "experiments/exploration/space.h"
#include "workloads/base/random.h"

namespace nplab::experiments {

// A space of at most so many points is searched whole; of a larger one the structures, with the
// first choice on every other axis, or as many of them drawn at random, and neighbours of the best.
inline constexpr std::size_t kMostCandidates = 5000;

class Candidates {
 public:
  Candidates(const Space& space, workloads::Random& random);

  // Whether every legal point of the space is or was a candidate.
  [[nodiscard]] bool holds_all() const { return holds_all_; }
  void add_all();
  // Those that were not taken, in the order of the space.
  [[nodiscard]] std::vector<Point> open() const;
  // Adds a point if it is legal; false if it is not, or was taken.
  bool add(const Point& point);
  // It is chosen, and no candidate any more.
  void take(const Point& point) { known_.at(point).is_taken = true; }

 private:
  struct Known {
    bool is_legal = false;
    bool is_taken = false;
  };

  const Space& space_;
  std::map<Point, Known> known_;
  bool holds_all_ = false;
};

}  // namespace nplab::experiments
