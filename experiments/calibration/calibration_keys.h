// The keys of calibration files, each described once.
#pragma once

#include "support/parameters/description.h"

namespace nplab::experiments {

const parameters::KeyMap& calibration_keys();
// Those of parts that are read one by one.
const parameters::KeyMap& calibration_limit_keys();
const parameters::KeyMap& calibration_parameter_keys();

}  // namespace nplab::experiments
