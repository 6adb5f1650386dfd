// The keys of workload files, each described once.
#pragma once

#include "support/parameters/description.h"

namespace nplab::workloads {

inline constexpr unsigned kLargestPort = 255;  // a port that packets arrive at

const parameters::KeyMap& workload_keys();

}  // namespace nplab::workloads
