// Demands of a placement from its compiled programs: the words that it has, times how often a
// profile executed such words.
#pragma once

#include <optional>

#include "experiments/prediction/algorithm_profile.h"
#include "experiments/prepare/experiment.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// The profile as the placement's own run would have shown it: each stage, and each operation on its
// queues, has the demands of the placement's words. Compiles the programs, one for all engines that
// run the same stages, but those of one stage that the profile measured. What neither the profile
// nor the code knows stays as the profile has it. Nothing, and diagnostics, when a program does not
// compile.
std::optional<AlgorithmProfile> price_code(const AlgorithmProfile& profile,
                                           const Experiment& placement, Diagnostics& diagnostics);

}  // namespace nplab::experiments
