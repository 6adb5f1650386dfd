// The mapping file of a point, for what takes files.
#pragma once

#include <string>

#include "experiments/exploration/space.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// Writes it to the folder and returns its path; reports what cannot be written.
std::string write_point(const Space& space, const Point& point, const std::string& folder,
                        Diagnostics& diagnostics);

}  // namespace nplab::experiments
