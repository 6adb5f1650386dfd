// The keys of mapping files and manifests, each described once.
#pragma once

#include <cstdint>
#include <limits>

#include "support/parameters/description.h"

namespace nplab::mappings {

inline constexpr std::int64_t kMostDimensions = 64;  // the header fields that a rule may name
inline constexpr std::int64_t kMostParameter = std::numeric_limits<std::int32_t>::max();

const parameters::KeyMap& mapping_keys();
const parameters::KeyMap& manifest_keys();

}  // namespace nplab::mappings
