#include "experiments/prediction/code/word_frequencies.h"

#include <algorithm>
#include <map>

#include "experiments/prediction/code/balanced_flow.h"
#include "experiments/prediction/code/hand_over_words.h"
#include "experiments/prediction/code/program_blocks.h"

namespace nplab::experiments {
namespace {

bool is_of_queue(const WordPlace& place) {
  return place.part.kind == PartKind::kPut || place.part.kind == PartKind::kGet;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// The slots that an execution aborts, mean over the profile's words of each class.
std::map<isa::AbortClass, double> mean_aborts(const CodeProfile& profile) {
  std::map<isa::AbortClass, double> executed, aborted;
  const auto add = [&](const ProfiledWord& word) {
    executed[word.aborts] += word.executed;
    aborted[word.aborts] += word.executed * word.aborted;
  };
  for (const auto& [name, codes] : profile) {
    for (const PartCode& code : codes) {
      for (const auto& [line, words] : code.lines)
        std::for_each(words.begin(), words.end(), add);
    }
  }
  std::map<isa::AbortClass, double> means;
  for (const auto& [aborts, times] : executed)
    means[aborts] = times > 0 ? aborted[aborts] / times : 0;
  return means;
}

class Frequencies {
 public:
  explicit Frequencies(const FrequencyInputs& inputs)
      : inputs_(inputs),
        instructions_(instructions_in(inputs.image)),
        matched_(inputs.matched.words),
        blocks_(program_blocks(inputs.ways.flow())),
        frequencies_(inputs.places.size()),
        known_(inputs.places.size()) {}

  std::vector<WordFrequency> find() {
    take_matches();
    take_hand_overs();
    const auto times = balanced_flow(estimates(), blocks_.edges);
    for (std::size_t word = 0; word < frequencies_.size(); ++word)
      frequencies_[word].executed = times[blocks_.block_of[word]];
    return std::move(frequencies_);
  }

 private:
  void take_matches() {
    auto aborts = mean_aborts(inputs_.profile);
    for (std::size_t word = 0; word < matched_.size(); ++word) {
      if (!instructions_[word])
        continue;
      WordFrequency& frequency = frequencies_[word];
      const ProfiledWord* like = matched_[word].like;
      const bool waits_alike = like != nullptr && like->aborts == instructions_[word]->aborts;
      frequency.aborted = waits_alike ? like->aborted : aborts[instructions_[word]->aborts];
      if (like == nullptr)
        continue;
      known_[word] = inputs_.runs[word] * like->executed;
      if (waits_alike && like->executed > 0)
        frequency.delay = like->delay;
    }
  }

  // Of queues whose code the profile does not have.
  void take_hand_overs() {
    const auto passed = hand_over_words(inputs_.ways, inputs_.places);
    for (std::size_t word = 0; word < passed.size(); ++word) {
      const WordPlace& place = inputs_.places[word];
      if (!place.stage || !is_of_queue(place) || inputs_.profile.contains(place.name))
        continue;
      known_[word] = passed[word] ? inputs_.runs[word] : 0;
      frequencies_[word].aborted = passed[word].value_or(0);
    }
  }

  [[nodiscard]] std::vector<BlockEstimate> estimates() const {
    std::vector<std::vector<double>> known(blocks_.count), likely(blocks_.count);
    std::vector<bool> is_measured(blocks_.count, true);
    for (std::size_t word = 0; word < known_.size(); ++word) {
      const std::size_t block = blocks_.block_of[word];
      const auto& mean = matched_[word].mean;
      if (known_[word])
        known[block].push_back(*known_[word]);
      else if (mean)
        likely[block].push_back(inputs_.runs[word] * *mean);
      // Pauses and unprinted work say nothing.
      const bool is_named = inputs_.places[word].stage && !inputs_.places[word].name.empty();
      if (is_named && !matched_[word].is_same_line)
        is_measured[block] = false;
    }
    std::vector<BlockEstimate> estimates(blocks_.count);
    for (std::size_t block = 0; block < blocks_.count; ++block) {
      const auto& values = known[block].empty() ? likely[block] : known[block];
      if (values.empty())
        continue;
      estimates[block].times = median(values);
      estimates[block].words = known[block].empty() ? 0 : static_cast<double>(values.size());
      estimates[block].is_measured = is_measured[block];
    }
    return estimates;
  }

  const FrequencyInputs& inputs_;
  const std::vector<std::optional<isa::Instruction>> instructions_;
  const std::vector<MatchedWord>& matched_;
  const ProgramBlocks blocks_;
  std::vector<WordFrequency> frequencies_;
  std::vector<std::optional<double>> known_;  // executions by word, from the profile's word
};

}  // namespace

std::vector<WordFrequency> word_frequencies(const FrequencyInputs& inputs) {
  return Frequencies(inputs).find();
}

}  // namespace nplab::experiments
