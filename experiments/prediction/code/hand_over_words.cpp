#include "experiments/prediction/code/hand_over_words.h"

namespace nplab::experiments {
namespace {

// The nearest hand-over of the stage that follows the one at `from`, of the other kind where it has
// one.
std::optional<std::size_t> next_hand_over(const CodeWays& ways,
                                          const std::vector<WordPlace>& places, std::size_t from) {
  const auto reached = ways.from(from);
  std::optional<std::size_t> nearest;
  bool is_other = false;
  for (std::size_t to = 0; to < places.size(); ++to) {
    if (ways.hands_over()[to].empty() || places[to].stage != places[from].stage ||
        reached[to].cycles == CodeWays::kUnreached)
      continue;
    const bool other = ways.hands_over()[to] != ways.hands_over()[from];
    const bool nearer = !nearest || reached[to].cycles < reached[*nearest].cycles;
    if ((other && !is_other) || (other == is_other && nearer)) {
      nearest = to;
      is_other = other;
    }
  }
  return nearest;
}

}  // namespace

std::vector<std::optional<double>> hand_over_words(const CodeWays& ways,
                                                   const std::vector<WordPlace>& places) {
  std::vector<std::optional<double>> passed(places.size());
  for (std::size_t from = 0; from < places.size(); ++from) {
    if (ways.hands_over()[from].empty() || !places[from].stage)
      continue;
    const auto next = next_hand_over(ways, places, from);
    if (!next)
      continue;
    for (const CodeWays::Passed& step : ways.way(from, *next))
      passed[step.word] = step.taken_aborts;
  }
  return passed;
}

}  // namespace nplab::experiments
