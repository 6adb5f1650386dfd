// The keys of study files, each described once.
#pragma once

#include "support/parameters/description.h"

namespace nplab::experiments {

const parameters::KeyMap& study_keys();

}  // namespace nplab::experiments
