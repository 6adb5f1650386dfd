// The C code of a stage: the endless loop that takes a packet, works on it and hands it on.
#pragma once

#include <string>

#include "mappings/composition/composition.h"

namespace nplab::mappings {

// Defines `void stage_NAME(const u32 rank)`, rank being the thread's index among the stage's
// threads.
std::string stage_code(const CompositionInputs& inputs, std::size_t stage,
                       Diagnostics& diagnostics);

}  // namespace nplab::mappings
