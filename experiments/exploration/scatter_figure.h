// Predicted against simulated rate of a search's mappings, as a drawing and as its numbers.
#pragma once

#include <string>

#include "experiments/exploration/exploration.h"
#include "reports/html/elements.h"

namespace nplab::experiments {

// A point for each mapping that was simulated at full length.
std::string scatter_figure(const Exploration& found, reports::html::Elements& elements);

}  // namespace nplab::experiments
