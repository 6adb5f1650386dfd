// The search itself: which points are simulated next, given what is predicted and what was seen.
//
// Rounds of successive halving (Karnin, Koren and Somekh, "Almost optimal exploration in
// multi-armed bandits", ICML 2013): each chooses points by the corrected prediction, near the best
// so far, and at random; runs them shortly; runs the best of them at full length; and fits the
// corrections anew. Of a large space the structures are predicted first, with the first choice on
// every other axis; then the other axes are tried on the best, one at a time, and the structures
// are predicted anew with what was found to be better.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/exploration/journal.h"
#include "experiments/exploration/objectives.h"
#include "experiments/exploration/predictions.h"
#include "experiments/exploration/space.h"

namespace nplab::experiments {

// Simulates; the outcomes in the order of the jobs.
using Simulator = std::function<std::vector<Outcome>(const std::vector<Job>&)>;

// What is known so far, and the share of the budget that is used.
struct SearchStatus {
  std::size_t runs = 0;
  std::optional<MappingFigures> best;
  double done = 0;
};

enum class SearchMethod {
  kHalving,  // as above
  kRandom,   // points drawn at random, all at full length
  kAll,      // every legal point at full length, in the order of the space
};

struct SearchPlan {
  SearchMethod method = SearchMethod::kHalving;
  std::uint64_t packets = 0;               // received in a run at full length
  std::uint64_t short_packets = 0;         // in a short one; 0: all runs are at full length
  std::size_t most_runs = 0;               // of either length, with those that profile
  std::function<double()> time_used = {};  // share of the time; empty: no limit
  std::uint64_t seed = 1;
  std::function<void(const SearchStatus&)> progress = {};
};

struct SimulatedPoint {
  Point point;
  MappingFigures figures;
  std::optional<MappingFigures> predicted;  // by the model, uncorrected
};

struct FailedPoint {
  Point point;
  std::string reason;
};

struct SearchResult {
  std::vector<SimulatedPoint> simulated;  // at full length, in the order of their runs
  std::vector<std::size_t> front;         // of these, the best first
  std::vector<FailedPoint> failed;
  std::size_t runs = 0;
  std::size_t short_runs = 0;  // of these
  std::size_t profiles = 0;    // of these: runs that profile for the model
  std::size_t predicted = 0;   // points
};

// Searches the space. The same seed, predictions and outcomes give the same result, unless time
// ends it.
SearchResult search(const Space& space, const Judge& judge, const PointPredictor& predictor,
                    const Simulator& simulator, const SearchPlan& plan);

}  // namespace nplab::experiments
