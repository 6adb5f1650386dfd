#include "experiments/calibration/analysis.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace nplab::experiments {
namespace {

constexpr double kPrintedDigit = 0.1;  // of a share, in points

// Ranks from 0, equal values sharing the mean of theirs.
std::vector<double> ranks_of(const std::vector<std::size_t>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]])
      ++end;
    for (std::size_t i = first; i < end; ++i)
      ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
    first = end;
  }
  return ranks;
}

// Pearson's coefficient; 0 when one of the two does not vary.
double coefficient_of(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / count;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx == 0 || yy == 0 ? 0 : xy / std::sqrt(xx * yy);
}

std::vector<std::size_t> levels_of(const std::vector<Setting>& settings, std::size_t parameter) {
  std::vector<std::size_t> levels;
  for (const Setting& setting : settings)
    levels.push_back(setting.at(parameter));
  return levels;
}

}  // namespace

KeptSettings kept_by_rule(const std::vector<Score>& scores, std::size_t slack, std::size_t least) {
  KeptSettings kept{std::vector<std::size_t>(scores.size()), slack};
  std::iota(kept.indices.begin(), kept.indices.end(), 0);
  std::stable_sort(kept.indices.begin(), kept.indices.end(), [&](std::size_t a, std::size_t b) {
    return scores[a].is_better_than(scores[b]);
  });
  if (scores.empty())
    return kept;
  const std::size_t best = scores[kept.indices.front()].points;
  const auto within = [&](std::size_t limit) {
    return static_cast<std::size_t>(
        std::count_if(scores.begin(), scores.end(),
                      [&](const Score& score) { return score.points + limit >= best; }));
  };
  while (kept.slack < best && within(kept.slack) < std::min(least, scores.size()))
    ++kept.slack;
  kept.indices.resize(within(kept.slack));
  return kept;
}

std::vector<RemainingRange> remaining_ranges(const std::vector<OpenParameter>& parameters,
                                             const std::vector<Setting>& settings,
                                             double identified_below_pct, std::size_t least) {
  std::vector<RemainingRange> ranges;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const OpenParameter& parameter = parameters[i];
    if (settings.empty()) {
      ranges.push_back({parameter.low(), parameter.high(), 100, false});
      continue;
    }
    const auto levels = levels_of(settings, i);
    const auto [low, high] = std::minmax_element(levels.begin(), levels.end());
    const double share =
        100 * static_cast<double>(*high - *low) / static_cast<double>(parameter.levels.size() - 1);
    ranges.push_back({parameter.levels[*low], parameter.levels[*high], share,
                      settings.size() >= least && share < identified_below_pct});
  }
  return ranges;
}

std::vector<Correlation> correlations(const std::vector<OpenParameter>& parameters,
                                      const std::vector<Setting>& settings,
                                      double least_coefficient) {
  std::vector<Correlation> found;
  if (settings.size() < 3)
    return found;
  std::vector<std::vector<double>> ranks;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    ranks.push_back(ranks_of(levels_of(settings, i)));
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (std::size_t k = i + 1; k < ranks.size(); ++k) {
      const double coefficient = coefficient_of(ranks[i], ranks[k]);
      if (std::abs(coefficient) >= least_coefficient)
        found.push_back({i, k, coefficient});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Correlation& a, const Correlation& b) {
    return std::abs(a.coefficient) > std::abs(b.coefficient);
  });
  return found;
}

bool Percentiles::is_within(double percent) const {
  return p95 - p5 <= std::max(std::abs(p50) * percent / 100, kPrintedDigit);
}

Percentiles percentiles_of(std::vector<double> values) {
  assert(!values.empty() && "percentiles are of at least one value");
  std::sort(values.begin(), values.end());
  const auto at = [&](double percent) {
    const double rank = percent / 100 * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (rank - static_cast<double>(below)) * (values[above] - values[below]);
  };
  return {at(5), at(50), at(95)};
}

}  // namespace nplab::experiments
