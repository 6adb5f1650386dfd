// The figures of a study, a line per point: of several axes, and of points that are run several
// times.
#pragma once

#include <string>

#include "experiments/studies/study_results.h"

namespace nplab::experiments {

// Whether its figures are listed so; else they stand along the axis.
inline bool is_listed(const Study& study) {
  return study.has_axes() || study.repeat.has_value();
}

// A table per series.
std::string render_listing(const Study& study, const StudyResults& results);

}  // namespace nplab::experiments
