#include "experiments/calibration/shipped_predictions.h"

#include "experiments/prepare/data_directory.h"
#include "support/input_file.h"

namespace nplab::experiments {

std::optional<reports::PredictionRanges> shipped_predictions(Diagnostics& diagnostics) {
  const auto path = data_directory() / "mappings" / "studies" / "calibration-result.json";
  if (!std::filesystem::is_regular_file(path))
    return std::nullopt;
  const auto file = read_input_file(path.string(), diagnostics);
  if (!file)
    return std::nullopt;
  return reports::read_prediction_ranges(file->bytes, file->name, diagnostics);
}

}  // namespace nplab::experiments
