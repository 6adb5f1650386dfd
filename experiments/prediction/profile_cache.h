// Profiles kept in the user's cache folder, by the content of all that they depend on.
#pragma once

#include <optional>
#include <string>

#include "experiments/prediction/algorithm_profile.h"
#include "support/content_cache.h"

namespace nplab::experiments {

// Where profiles are kept; nothing when the environment keeps no caches (support/content_cache.h).
std::optional<ContentCache> profile_cache();

// A hash of the program, of the sources that engines are compiled from, and of everything that says
// what is simulated.
std::string profile_key(const Experiment& experiment);

// The profile kept under the experiment's key, else one that is measured and kept. A file that is
// damaged is measured anew and replaced; a folder that cannot be written is passed over.
std::optional<AlgorithmProfile> obtain_profile(const Experiment& experiment,
                                               Diagnostics& diagnostics);

}  // namespace nplab::experiments
