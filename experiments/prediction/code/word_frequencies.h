// How often each word of a program is executed for a packet, from what a profile says of words of
// the same lines.
#pragma once

#include <optional>
#include <vector>

#include "experiments/prediction/code/code_profile.h"
#include "experiments/prediction/code/code_ways.h"
#include "experiments/prediction/code/matched_words.h"
#include "experiments/prediction/code/word_places.h"

namespace nplab::experiments {

struct WordFrequency {
  double executed = 0;          // for a packet of the word's stage
  double aborted = 0;           // slots that a branch aborts, each time
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
  const MatchedWords& matched;
};

// Words of a line are those that the profile has of it (matched_words). The words of a basic block
// are executed alike: as often as was measured where its lines are as the profile has them, else
// near the median of what is known of them, such that what comes to a block leaves it
// (balanced_flow). Code of queues that the profile does not have is executed once for an entry, on
// the shortest way, or never.
std::vector<WordFrequency> word_frequencies(const FrequencyInputs& inputs);

}  // namespace nplab::experiments
