// Predicts the points of a space by the model of experiments/prediction, from profiles of the
// algorithm.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/exploration/objectives.h"
#include "experiments/exploration/space.h"
#include "experiments/prediction/algorithm_profile.h"
#include "experiments/prediction/prediction.h"
#include "experiments/prepare/experiment.h"
#include "experiments/prepare/experiment_options.h"
#include "mappings/tables/table_builder.h"

namespace nplab::experiments {

class ModelPredictor {
 public:
  // What it refers to outlives it.
  ModelPredictor(const Space& space, const ExperimentInputs& inputs,
                 const ExperimentOptions& options)
      : space_(space), inputs_(inputs), options_(options) {}

  // A profile takes a run of the mapping, so there are at most so many; what a point chooses beyond
  // structure and queues is predicted as the space's first choice then, and the search's
  // corrections learn the difference.
  static constexpr std::size_t kMostProfiles = 8;

  // Nothing where the model does not know the point.
  std::optional<MappingFigures> predict(const Point& point);
  // With the bound, which takes longer.
  std::optional<MappingFigures> predict_with_bound(const Point& point);

  // How many profiles were measured or read.
  [[nodiscard]] std::size_t profiles() const { return profiled_.size(); }

 private:
  struct Profiled {
    std::optional<AlgorithmProfile> profile;  // none: it cannot be measured
    std::vector<mappings::TableSize> tables;
  };

  std::optional<MappingFigures> predict(const Point& point, PredictionDetail detail);
  // The point with another choice of tables, parameters and level where there is no profile for its
  // own.
  [[nodiscard]] Point with_known_tables(const Point& point) const;
  const Profiled& profiled(const Point& point);
  Profiled measure(const Point& point) const;

  const Space& space_;
  const ExperimentInputs& inputs_;
  const ExperimentOptions& options_;
  std::map<std::vector<std::uint32_t>, Profiled> profiled_;  // by the choices of tables and so on
};

}  // namespace nplab::experiments
