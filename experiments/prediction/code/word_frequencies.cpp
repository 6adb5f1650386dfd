#include "experiments/prediction/code/word_frequencies.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "isa/instruction.h"

namespace nplab::experiments {
namespace {

constexpr unsigned kRounds = 300;
// An estimate counts as much as either side of its block when so many words made it.
constexpr double kWordsOfASide = 40;
constexpr double kLeast = 1e-6;  // an edge that estimates call unused may still be used

class Balance {
 public:
  Balance(const std::vector<BlockEstimate>& estimates, const std::vector<BlockEdge>& edges)
      : estimates_(estimates),
        in_(estimates.size()),
        out_(estimates.size()),
        flow_(edges.size(), 0),
        times_(estimates.size(), 0) {
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      out_[edges[edge].first].push_back(edge);
      in_[edges[edge].second].push_back(edge);
    }
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      const auto [from, to] = edges[edge];
      const double leaves = part_of(from, out_[from]), comes = part_of(to, in_[to]);
      flow_[edge] = kLeast + (leaves + comes) / 2;
    }
  }

  std::vector<double> find() {
    for (unsigned round = 0; round < kRounds; ++round) {
      for (std::size_t block = 0; block < times_.size(); ++block)
        settle(block);
    }
    return std::move(times_);
  }

 private:
  [[nodiscard]] double part_of(std::size_t block, const std::vector<std::size_t>& side) const {
    return estimates_[block].times.value_or(0) / static_cast<double>(side.size());
  }
  [[nodiscard]] double sum(const std::vector<std::size_t>& side) const {
    return std::accumulate(side.begin(), side.end(), 0.0,
                           [&](double all, std::size_t edge) { return all + flow_[edge]; });
  }

  void settle(std::size_t block) {
    const BlockEstimate& estimate = estimates_[block];
    double weights = 0, weighted = 0;
    if (estimate.times) {
      weights = estimate.words / kWordsOfASide;
      weighted = weights * *estimate.times;
    }
    for (const auto* side : {&in_[block], &out_[block]}) {
      if (side->empty())
        continue;
      weights += 1;
      weighted += sum(*side);
    }
    times_[block] = weights > 0 ? weighted / weights : 0;
    for (const auto* side : {&in_[block], &out_[block]}) {
      const double has = sum(*side);
      for (const std::size_t edge : *side)
        flow_[edge] *= has > 0 ? times_[block] / has : 1;
    }
  }

  const std::vector<BlockEstimate>& estimates_;
  std::vector<std::vector<std::size_t>> in_, out_;  // edges by block
  std::vector<double> flow_;                        // by edge
  std::vector<double> times_;                       // by block
};

bool is_of_queue(const WordPlace& place) {
  return place.part.kind == PartKind::kPut || place.part.kind == PartKind::kGet;
}

bool is_branch(unsigned operation) {
  return operation >= static_cast<unsigned>(isa::Operation::kBr) &&
         operation <= static_cast<unsigned>(isa::Operation::kRtn);
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
    find_branch_aborts();
    match_lines();
    match_hand_overs();
    find_block_times();
    for (std::size_t word = 0; word < frequencies_.size(); ++word)
      frequencies_[word].executed = times_[block_[word]];
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
    blocks_ = block + 1;
  }

  // Of a branch that the profile does not have: as of those that it has.
  void find_branch_aborts() {
    double executed = 0, aborted = 0;
    for (const auto& [name, part] : inputs_.profile) {
      for (const auto& [line, words] : part.lines) {
        for (const ProfiledWord& word : words) {
          if (!is_branch(word.operation))
            continue;
          executed += word.executed;
          aborted += word.executed * word.aborted;
        }
      }
    }
    aborts_of_branch_ = executed > 0 ? aborted / executed : 0;
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
    for (const std::size_t word : words) {
      likely_[word] = inputs_.runs[word] * sum / static_cast<double>(m);
      frequencies_[word].aborted = aborts_of_branch_;
    }
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
      if (!place.stage || !is_of_queue(place) || inputs_.profile.contains(place.name))
        continue;
      known_[word] = passed[word] ? inputs_.runs[word] : 0;
      frequencies_[word].aborted = passed[word].value_or(0);
    }
  }

  void find_block_times() {
    std::vector<std::vector<double>> known(blocks_), likely(blocks_);
    for (std::size_t word = 0; word < known_.size(); ++word) {
      if (known_[word])
        known[block_[word]].push_back(*known_[word]);
      else if (likely_[word])
        likely[block_[word]].push_back(*likely_[word]);
    }
    std::vector<BlockEstimate> estimates(blocks_);
    for (std::size_t block = 0; block < blocks_; ++block) {
      const auto& values = known[block].empty() ? likely[block] : known[block];
      if (values.empty())
        continue;
      estimates[block].times = median(values);
      estimates[block].words = known[block].empty() ? 0 : static_cast<double>(values.size());
    }
    times_ = balanced_flow(estimates, edges());
  }

  [[nodiscard]] std::vector<BlockEdge> edges() const {
    const auto& flow = inputs_.ways.flow();
    std::vector<BlockEdge> edges;
    for (std::size_t word = 0; word < flow.size(); ++word) {
      const bool ends = word + 1 == flow.size() || block_[word + 1] != block_[word];
      if (ends && flow[word].next && word + 1 < flow.size())
        edges.emplace_back(block_[word], block_[word + 1]);
      if (ends && flow[word].target && *flow[word].target < flow.size())
        edges.emplace_back(block_[word], block_[*flow[word].target]);
    }
    return edges;
  }

  const FrequencyInputs& inputs_;
  std::vector<WordFrequency> frequencies_;
  std::vector<std::optional<double>> known_;   // by word, from the profile's word
  std::vector<std::optional<double>> likely_;  // the mean of its line
  std::vector<std::size_t> block_;             // by word
  double aborts_of_branch_ = 0;
  std::size_t blocks_ = 0;
  std::vector<double> times_;  // by block
};

}  // namespace

std::vector<double> balanced_flow(const std::vector<BlockEstimate>& estimates,
                                  const std::vector<BlockEdge>& edges) {
  return Balance(estimates, edges).find();
}

std::vector<WordFrequency> word_frequencies(const FrequencyInputs& inputs) {
  return Frequencies(inputs).find();
}

std::vector<std::optional<double>> words_of_hand_overs(const FrequencyInputs& inputs) {
  std::vector<std::optional<double>> passed(inputs.places.size());
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
      passed[step.word] = step.aborted;
  }
  return passed;
}

}  // namespace nplab::experiments
