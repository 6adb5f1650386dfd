// How far predictions of placements that nobody wrote are off: points drawn from the spaces of
// algorithms, predicted from one profile each, and simulated.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/prepare/experiment_options.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

struct PlacementAccuracyOptions {
  std::vector<std::string> algorithms;
  std::size_t placements = 200;  // of all algorithms together
  std::size_t bounds = 0;        // of these, how many are simulated without each of their resources
  ExperimentOptions experiment;  // rules, traffic, chip and the length of the simulations
  std::uint64_t seed = 1;
  std::string folder;  // that keeps the mapping files; empty: none
};

struct ComparedPlacement {
  std::string algorithm;
  std::string choices;
  double predicted = 0;   // packets per second that are dealt with, from its own programs
  double from_parts = 0;  // the same, from the parts of the profile alone
  double simulated = 0;
  std::string predicted_bound;
  // Of those that were simulated without each of their resources: what gave most, and how much more
  // in percent; what the predicted bound gave. Empty: they were not.
  std::string simulated_bound;
  double largest_gain_pct = 0;
  double gain_of_predicted_pct = 0;
  std::string mapping;  // the file, where it is kept
  [[nodiscard]] double error_pct() const { return 100 * (predicted / simulated - 1); }
  // No other resource gives more than a percentage point above it.
  [[nodiscard]] bool has_right_bound() const {
    return gain_of_predicted_pct >= largest_gain_pct - 1;
  }
};

struct ComparedPlacements {
  std::vector<ComparedPlacement> placements;
  std::vector<std::string> failures;  // simulations
  double bounds_per_s = 0;            // predictions with the bound, from a point of the space
  double placed_per_s = 0;            // predictions of rates alone, from a point of the space
  double compiled_s = 0;              // processor time of a prediction from the point's programs
};

// Tables, parameters and the compiler's level are the space's first choices, so that one profile of
// an algorithm suffices: that of the first point that is drawn. One simulation at a time.
ComparedPlacements compare_placements(const PlacementAccuracyOptions& options,
                                      const std::function<void(double)>& progress,
                                      Diagnostics& diagnostics);

// JSON, schema nplab.bench.placements/1, with claims as those of accuracy_json.
nlohmann::ordered_json placements_json(const ComparedPlacements& compared);

}  // namespace nplab::experiments
