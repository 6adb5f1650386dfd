// The keys of space files, each described once.
#pragma once

#include "support/parameters/description.h"

namespace nplab::experiments {

const parameters::KeyMap& space_keys();

}  // namespace nplab::experiments
