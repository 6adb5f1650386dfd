// A program's words beside the words that a profile has of the same lines.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiments/prediction/code/code_profile.h"
#include "experiments/prediction/code/word_places.h"
#include "isa/instruction.h"

namespace nplab::experiments {

struct MatchedWord {
  const ProfiledWord* like = nullptr;  // the profile's word in its place; null: it has none
  // Executions of a word of its line, each time that its part runs; nothing: the profile does not
  // have the line.
  std::optional<double> mean;
  // The line has the words that the profile has of it, no more and no fewer.
  bool is_same_line = false;
};

// Words of a line are aligned by the longest common subsequence of their operations. By word;
// `instructions`: by word. The profile outlives the result.
std::vector<MatchedWord> matched_words(
    const CodeProfile& profile, const std::vector<WordPlace>& places,
    const std::vector<std::optional<isa::Instruction>>& instructions);

}  // namespace nplab::experiments
