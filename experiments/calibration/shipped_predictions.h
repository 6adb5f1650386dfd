// The result of the full calibration that comes with the program.
#pragma once

#include <optional>

#include "reports/analysis/prediction_ranges.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// Nothing where there is no such file; a diagnostic where it cannot be read.
std::optional<reports::PredictionRanges> shipped_predictions(Diagnostics& diagnostics);

}  // namespace nplab::experiments
