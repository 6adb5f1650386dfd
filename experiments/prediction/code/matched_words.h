// A program's words beside the words that a profile has of the same lines.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/prediction/code/code_profile.h"
#include "experiments/prediction/code/word_places.h"
#include "isa/instruction.h"
#include "mappings/resolver/placement.h"

namespace nplab::experiments {

struct MatchedWord {
  const ProfiledWord* like = nullptr;  // the profile's word in its place; null: it has none
  // Executions of a word of its line, each time that its part runs; nothing: the profile does not
  // have the line.
  std::optional<double> mean;
  // The line has the words that the profile has of it, no more and no fewer; and they are executed
  // alike, or all lines of the part are the same.
  bool is_same_line = false;
};

struct MatchedWords {
  std::vector<MatchedWord> words;  // by word
  // By stage and name of a part, what its words are compared with, if the profile has the part.
  std::map<std::pair<std::size_t, std::string>, const PartCode*> parts;
};

// A part is compared with that of the same stage where the profile has the stage; else with the one
// that has the most lines alike, and of these with the one of the most similar number of
// references. Words of a line are aligned by the longest common subsequence of their operations.
// `instructions`: by word. The profile outlives the result.
MatchedWords matched_words(const CodeProfile& profile, const mappings::Placement& placement,
                           const std::vector<WordPlace>& places,
                           const std::vector<std::optional<isa::Instruction>>& instructions);

}  // namespace nplab::experiments
