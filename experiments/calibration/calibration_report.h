// The results of a calibration as text and as JSON (schema "nplab.calibration/1").
#pragma once

#include <cstdint>
#include <string>

#include "experiments/calibration/calibration_study.h"

namespace nplab::experiments {

std::string render_calibration(const Calibration& calibration, const CalibrationResults& results,
                               std::uint64_t seed);
std::string calibration_json(const Calibration& calibration, const CalibrationResults& results,
                             std::uint64_t seed);

}  // namespace nplab::experiments
