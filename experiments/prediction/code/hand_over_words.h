// The words of a stage's shortest ways between its queues.
#pragma once

#include <optional>
#include <vector>

#include "experiments/prediction/code/code_ways.h"
#include "experiments/prediction/code/word_places.h"

namespace nplab::experiments {

// By word: the slots that a branch taken there aborts on the shortest ways from a stage's taking an
// entry to its putting one, and back; nothing: the word is on none of them.
std::vector<std::optional<double>> hand_over_words(const CodeWays& ways,
                                                   const std::vector<WordPlace>& places);

}  // namespace nplab::experiments
