// Predictions as text and as JSON (schema "nplab.predict/1").
#pragma once

#include <string>
#include <vector>

#include "experiments/prediction/prediction.h"

namespace nplab::experiments {

inline constexpr const char* kPredictSchema = "nplab.predict/1";

// The profiling runs behind predictions.
struct ProfileUse {
  std::uint64_t packets = 0;  // of all runs
  double seconds = 0;         // of the host; of runs that were read from the cache, when they ran
  bool cached = true;         // none of them was run now
};

std::string predictions_json(const std::vector<Prediction>& predictions, const ProfileUse& profile);
enum class ShownDemands { kNone, kStages };
std::string render_predictions(const std::vector<Prediction>& predictions,
                               const ProfileUse& profile,
                               ShownDemands demands = ShownDemands::kNone);

// The JSON Schema (draft 2020-12) of predictions_json's text.
std::string predict_schema();

}  // namespace nplab::experiments
