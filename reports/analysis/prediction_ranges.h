// Ranges of figures that a calibration predicts for mappings whose figures are not printed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "support/diagnostics.h"

namespace nplab::reports {

struct PredictionRange {
  double p5 = 0;
  double p50 = 0;
  double p95 = 0;
  bool is_predicted = false;  // narrow enough to be called a prediction
};

struct PredictionRanges {
  std::string version;  // of the program that made them
  std::string commit;
  std::uint64_t seed = 0;
  std::uint64_t kept = 0;  // settings
  std::uint64_t runs = 0;
  std::map<std::string, std::map<std::string, PredictionRange>> by_mapping;  // then by figure

  // The range of a mapping's figure, named as a comparison names it: `receive_rate`, `0.idle`.
  [[nodiscard]] const PredictionRange* find(const std::string& mapping,
                                            const std::string& figure) const;
};

// Reads the JSON of `nplab study calibration` (schema "nplab.calibration/1").
std::optional<PredictionRanges> read_prediction_ranges(const std::string& text,
                                                       const std::string& file,
                                                       Diagnostics& diagnostics);

}  // namespace nplab::reports
