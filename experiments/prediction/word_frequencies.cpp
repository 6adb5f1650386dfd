#include "experiments/prediction/word_frequencies.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "isa/instruction.h"

namespace nplab::experiments {
namespace {

constexpr unsigned kFlowPasses = 3;  // blocks without any known word are few, and small

bool is_of_queue(const WordPlace& place) {
  return place.part.kind == PartKind::kPut || place.part.kind == PartKind::kGet;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

class Frequencies {
 public:
  explicit Frequencies(const FrequencyInputs& inputs)
      : inputs_(inputs),
        frequencies_(inputs.places.size()),
        known_(inputs.places.size()),
        likely_(inputs.places.size()),
        block_(inputs.places.size(), 0) {}

  std::vector<WordFrequency> find() {
    find_blocks();
    match_lines();
    match_hand_overs();
    find_known_blocks();
    find_other_blocks();
    for (std::size_t word = 0; word < frequencies_.size(); ++word)
      frequencies_[word].executed = times_[block_[word]].value_or(0);
    return std::move(frequencies_);
  }

 private:
  void find_blocks() {
    const auto& flow = inputs_.ways.flow();
    std::vector<bool> begins(flow.size(), false);
    for (std::size_t word = 0; word < flow.size(); ++word) {
      if (flow[word].target && *flow[word].target < begins.size())
        begins[*flow[word].target] = true;
      if ((flow[word].target || !flow[word].next) && word + 1 < begins.size())
        begins[word + 1] = true;
    }
    std::size_t block = 0;
    for (std::size_t word = 0; word < flow.size(); ++word) {
      block += word > 0 && begins[word] ? 1 : 0;
      block_[word] = block;
    }
    times_.resize(block + 1);
  }

  [[nodiscard]] unsigned operation(std::size_t word) const {
    const auto instruction = isa::decode(inputs_.image.words[word]);
    return instruction ? static_cast<unsigned>(instruction->operation) : 0;
  }

  void match_lines() {
    std::map<std::tuple<std::size_t, std::string, std::string>, std::vector<std::size_t>> lines;
    for (std::size_t word = 0; word < inputs_.places.size(); ++word) {
      const WordPlace& place = inputs_.places[word];
      if (place.stage && !place.name.empty())
        lines[{*place.stage, place.name, place.line}].push_back(word);
    }
    for (const auto& [of, words] : lines) {
      const auto part = inputs_.profile.find(std::get<1>(of));
      if (part == inputs_.profile.end())
        continue;
      const auto line = part->second.lines.find(std::get<2>(of));
      if (line != part->second.lines.end())
        match(words, line->second);
    }
  }

  // The longest common subsequence of operations.
  void match(const std::vector<std::size_t>& words, const std::vector<ProfiledWord>& profiled) {
    const std::size_t n = words.size(), m = profiled.size();
    std::vector<std::vector<unsigned>> longest(n + 1, std::vector<unsigned>(m + 1, 0));
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = m; j-- > 0;)
        longest[i][j] = operation(words[i]) == profiled[j].operation
                            ? longest[i + 1][j + 1] + 1
                            : std::max(longest[i + 1][j], longest[i][j + 1]);
    }
    double sum = 0;
    for (const ProfiledWord& word : profiled)
      sum += word.executed;
    for (const std::size_t word : words)
      likely_[word] = inputs_.runs[word] * sum / static_cast<double>(m);
    std::size_t i = 0, j = 0;
    while (i < n && j < m) {
      if (operation(words[i]) == profiled[j].operation)
        take(words[i++], profiled[j++]);
      else if (longest[i + 1][j] >= longest[i][j + 1])
        ++i;
      else
        ++j;
    }
  }

  void take(std::size_t word, const ProfiledWord& profiled) {
    known_[word] = inputs_.runs[word] * profiled.executed;
    frequencies_[word].aborted = profiled.aborted;
    if (profiled.executed > 0)
      frequencies_[word].delay = profiled.delay;
  }

  // Of queues whose code the profile does not have: once for an entry, or never.
  void match_hand_overs() {
    const auto passed = words_of_hand_overs(inputs_);
    for (std::size_t word = 0; word < passed.size(); ++word) {
      const WordPlace& place = inputs_.places[word];
      if (place.stage && is_of_queue(place) && !inputs_.profile.contains(place.name))
        known_[word] = passed[word] ? inputs_.runs[word] : 0;
    }
  }

  void find_known_blocks() {
    std::vector<std::vector<double>> known(times_.size()), likely(times_.size());
    for (std::size_t word = 0; word < known_.size(); ++word) {
      if (known_[word])
        known[block_[word]].push_back(*known_[word]);
      else if (likely_[word])
        likely[block_[word]].push_back(*likely_[word]);
    }
    for (std::size_t block = 0; block < times_.size(); ++block) {
      if (!known[block].empty())
        times_[block] = median(known[block]);
      else if (!likely[block].empty())
        times_[block] = median(likely[block]);
    }
  }

  void find_other_blocks() {
    const auto& flow = inputs_.ways.flow();
    std::vector<bool> open(times_.size());
    for (std::size_t block = 0; block < times_.size(); ++block)
      open[block] = !times_[block];
    for (unsigned pass = 0; pass < kFlowPasses; ++pass) {
      std::vector<double> flows(times_.size(), 0);
      for (std::size_t word = 0; word < flow.size(); ++word) {
        const bool ends = word + 1 == flow.size() || block_[word + 1] != block_[word];
        if (!ends || !times_[block_[word]])
          continue;
        const double ways = (flow[word].next ? 1 : 0) + (flow[word].target ? 1 : 0);
        if (flow[word].next && word + 1 < flow.size())
          flows[block_[word + 1]] += *times_[block_[word]] / ways;
        if (flow[word].target && *flow[word].target < flow.size())
          flows[block_[*flow[word].target]] += *times_[block_[word]] / ways;
      }
      for (std::size_t block = 0; block < times_.size(); ++block) {
        if (open[block] && flows[block] > 0)
          times_[block] = flows[block];
      }
    }
  }

  const FrequencyInputs& inputs_;
  std::vector<WordFrequency> frequencies_;
  std::vector<std::optional<double>> known_;   // by word, from the profile's word
  std::vector<std::optional<double>> likely_;  // the mean of its line
  std::vector<std::size_t> block_;             // by word
  std::vector<std::optional<double>> times_;   // by block
};

}  // namespace

std::vector<WordFrequency> word_frequencies(const FrequencyInputs& inputs) {
  return Frequencies(inputs).find();
}

std::vector<bool> words_of_hand_overs(const FrequencyInputs& inputs) {
  std::vector<bool> passed(inputs.places.size(), false);
  for (std::size_t from = 0; from < passed.size(); ++from) {
    const WordPlace& place = inputs.places[from];
    if (!inputs.ways.hands_over()[from] || !place.stage)
      continue;
    // To the nearest hand-over of the stage, of the other kind where it has one.
    const auto reached = inputs.ways.from(from);
    std::optional<std::size_t> nearest;
    bool is_other = false;
    for (std::size_t to = 0; to < passed.size(); ++to) {
      if (!inputs.ways.hands_over()[to] || inputs.places[to].stage != place.stage ||
          reached[to].cycles == CodeWays::kUnreached)
        continue;
      const bool other = inputs.places[to].part != place.part;
      const bool nearer = !nearest || reached[to].cycles < reached[*nearest].cycles;
      if ((other && !is_other) || (other == is_other && nearer)) {
        nearest = to;
        is_other = other;
      }
    }
    if (!nearest)
      continue;
    for (const auto& step : inputs.ways.way(from, *nearest))
      passed[step.word] = true;
  }
  return passed;
}

}  // namespace nplab::experiments
