// How often each word of a program is executed for a packet, from what a profile says of words of
// the same lines.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/prediction/code/code_profile.h"
#include "experiments/prediction/code/code_ways.h"
#include "experiments/prediction/code/word_places.h"

namespace nplab::experiments {

struct WordFrequency {
  double executed = 0;          // for a packet of the word's stage
  double aborted = 0;           // slots, each time
  std::optional<double> delay;  // cycles of waiting for references; nothing: not known
};

// What a stage's parts of a program are taken from.
struct FrequencyInputs {
  const CodeProfile& profile;
  const isa::ProgramImage& image;
  const CodeWays& ways;
  const std::vector<WordPlace>& places;
  // By word: how often its part runs for a packet of its stage.
  const std::vector<double>& runs;
};

// Words of a line are aligned with the profile's words of that line by their operations. Words of a
// basic block are executed alike, near the median of what is known of them, and what comes to a
// block leaves it (balanced_flow).
std::vector<WordFrequency> word_frequencies(const FrequencyInputs& inputs);

// By word, the slots that are aborted after it on the shortest ways from a stage's taking an entry
// to its putting one, and back; nothing: it is on none of them.
std::vector<std::optional<double>> words_of_hand_overs(const FrequencyInputs& inputs);

// Executions of basic blocks, as word_frequencies balances them.

// From one block to another.
using BlockEdge = std::pair<std::size_t, std::size_t>;

struct BlockEstimate {
  std::optional<double> times;  // that it is executed; nothing: not known
  double words = 0;             // that say so, its weight
};

// Executions near the estimates such that those of a block are the sum of its edges' on either side
// where it has any. Iterates; what is left of a contradiction is shared by the blocks around it.
std::vector<double> balanced_flow(const std::vector<BlockEstimate>& estimates,
                                  const std::vector<BlockEdge>& edges);

}  // namespace nplab::experiments
