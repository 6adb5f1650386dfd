// Where a program puts entries into queues and takes them out.
#pragma once

#include <vector>

#include "experiments/prediction/code/code_parts.h"
#include "isa/program_image.h"

namespace nplab::experiments {

// By word: the operations (kPut or kGet, with the placement's queue) whose entry is handed over
// there. The library marks it; the word itself may be of another part, where the compiler moved
// code.
std::vector<std::vector<CodePart>> hand_overs(const isa::ProgramImage& image);

}  // namespace nplab::experiments
