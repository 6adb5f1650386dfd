// All runs of a search as a table, for other programs.
#pragma once

#include <map>
#include <string>

#include "experiments/exploration/journal.h"
#include "experiments/exploration/objectives.h"
#include "experiments/exploration/space.h"

namespace nplab::experiments {

// CSV: a row for each run with what was predicted, simulated and chosen, or why the run failed. A
// point is written as its choices' indices, `3.0.1`.
std::string points_csv(const Space& space, const std::map<Job, Outcome>& outcomes,
                       const std::map<Point, MappingFigures>& predicted);

}  // namespace nplab::experiments
