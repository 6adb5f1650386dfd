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
#include "experiments/prediction/code/code_prices.h"
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

  // Measures or reads the profile of the point's tables, parameters and level if there is none yet.
  // Nothing where the model does not know the point.
  std::optional<MappingFigures> predict(const Point& point);
  // With the bound, which takes longer.
  std::optional<MappingFigures> predict_with_bound(const Point& point);

  // With the bound, and from the point's own programs (prediction/code/code_prices.h): it compiles
  // those that the profile did not measure. Diagnostics, where they do not compile.
  std::optional<MappingFigures> predict_compiled(const Point& point, Diagnostics& diagnostics);

 private:
  struct Profiled {
    std::optional<AlgorithmProfile> profile;  // none: it cannot be measured
    std::vector<mappings::TableSize> tables;
    // With the placement of the point that was predicted last from its programs.
    std::optional<Experiment> experiment;
    std::optional<CodePricer> pricer;  // of the profile
  };

  std::optional<MappingFigures> predict(const Point& point, PredictionDetail detail);
  [[nodiscard]] MappingFigures figures_of(const Prediction& prediction, const Point& point) const;
  [[nodiscard]] std::optional<mappings::Placement> place(const Point& point, const Profiled& of,
                                                         Diagnostics& diagnostics) const;
  Profiled& profiled(const Point& point);
  Profiled measure(const Point& point) const;

  const Space& space_;
  const ExperimentInputs& inputs_;
  const ExperimentOptions& options_;
  std::map<std::vector<std::uint32_t>, Profiled> profiled_;  // by the choices of tables and so on
};

}  // namespace nplab::experiments
