// What a thread is doing at each word of a program: getting on, or waiting for something.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program_image.h"

namespace nplab::experiments {

// In the order of precedence: a word that threads reach in several ways has the last. The numbers
// are those of isa::WaitCode.
enum class WordUse : std::uint8_t { kUseful, kStarved, kBlocked, kLockSpin };

// `useful`, `starved` (polls for work), `blocked` (for room), `lock_spin` (for a lock).
const char* name_of(WordUse use);

// By word: code of functions that wait (isa::Annotation::Kind::kWaitCode); else, from the
// annotations that begin and end a wait, the innermost that a thread which comes there has begun
// and not ended.
std::vector<WordUse> word_uses(const isa::ProgramImage& image);

}  // namespace nplab::experiments
