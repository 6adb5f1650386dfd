#include "experiments/exploration/objectives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace nplab::experiments {

std::string to_string(const Bound& bound) {
  if (bound.resource.empty())
    return "unknown";
  std::string text = fmt::format("{}, {:.0f} % used", bound.resource, bound.use_pct);
  if (bound.gain_if_removed_pct > 0)
    text += fmt::format("; {:.0f} % more packets per second without it", bound.gain_if_removed_pct);
  return text;
}

const std::vector<std::string>& objective_words() {
  static const std::vector<std::string> kWords{"rate", "latency", "engines"};
  return kWords;
}

std::optional<std::vector<Objective>> parse_objectives(std::string_view text) {
  std::vector<Objective> objectives;
  const auto& words = objective_words();
  while (true) {
    const auto comma = text.find(',');
    const auto at = std::find(words.begin(), words.end(), text.substr(0, comma));
    const auto objective = static_cast<Objective>(at - words.begin());
    if (at == words.end() ||
        std::find(objectives.begin(), objectives.end(), objective) != objectives.end())
      return std::nullopt;
    objectives.push_back(objective);
    if (comma == std::string_view::npos)
      return objectives;
    text.remove_prefix(comma + 1);
  }
}

std::string to_string(const std::vector<Objective>& objectives) {
  std::vector<std::string> words;
  for (const Objective objective : objectives)
    words.push_back(objective_words()[static_cast<std::size_t>(objective)]);
  return fmt::format("{}", fmt::join(words, ","));
}

bool Judge::reaches_ports(const MappingFigures& figures) const {
  return port_rate_ && figures.packets_per_s >= *port_rate_ * (1 - kPortTolerance);
}

double Judge::cost(Objective objective, const MappingFigures& figures) const {
  switch (objective) {
    case Objective::kRate: return reaches_ports(figures) ? -*port_rate_ : -figures.packets_per_s;
    case Objective::kLatency: return figures.latency_p99_cycles;
    case Objective::kEngines: return figures.engines;
  }
  return 0;
}

bool Judge::dominates(const MappingFigures& a, const MappingFigures& b) const {
  bool is_better = false;
  for (const Objective objective : objectives_) {
    const double of_a = cost(objective, a), of_b = cost(objective, b);
    if (of_a > of_b)
      return false;
    is_better = is_better || of_a < of_b;
  }
  return is_better;
}

bool Judge::is_better(const MappingFigures& a, const MappingFigures& b) const {
  for (const Objective objective : objectives_) {
    const double of_a = cost(objective, a), of_b = cost(objective, b);
    if (of_a != of_b)
      return of_a < of_b;
  }
  return false;
}

std::vector<std::size_t> Judge::best(const std::vector<MappingFigures>& figures,
                                     std::size_t count) const {
  std::vector<std::size_t> left(figures.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::stable_sort(left.begin(), left.end(),
                   [&](std::size_t a, std::size_t b) { return is_better(figures[a], figures[b]); });
  count = std::min(count, left.size());
  std::vector<std::size_t> best;
  while (best.size() < count && objectives_.size() > 1) {
    // Sorted so, what dominates a figure stands before it.
    std::vector<std::size_t> front, behind;
    for (const std::size_t i : left) {
      const bool is_dominated = std::any_of(front.begin(), front.end(), [&](std::size_t better) {
        return dominates(figures[better], figures[i]);
      });
      (is_dominated ? behind : front).push_back(i);
    }
    best.insert(best.end(), front.begin(), front.end());
    left = std::move(behind);
  }
  if (objectives_.size() == 1)
    best = std::move(left);
  best.resize(count);
  return best;
}

std::vector<std::size_t> Judge::front(const std::vector<MappingFigures>& figures) const {
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const auto covers = [&](std::size_t j) {
      if (dominates(figures[j], figures[i]))
        return true;
      return j < i && !dominates(figures[i], figures[j]) &&
             std::all_of(
                 objectives_.begin(), objectives_.end(),
                 [&](Objective objective) {
                   return cost(objective, figures[i]) == cost(objective, figures[j]);
                 });
    };
    bool is_covered = false;
    for (std::size_t j = 0; j < figures.size() && !is_covered; ++j)
      is_covered = j != i && covers(j);
    if (!is_covered)
      front.push_back(i);
  }
  std::sort(front.begin(), front.end(), [&](std::size_t a, std::size_t b) {
    return is_better(figures[a], figures[b]) || (!is_better(figures[b], figures[a]) && a < b);
  });
  return front;
}

}  // namespace nplab::experiments
