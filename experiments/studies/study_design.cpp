#include "experiments/studies/study_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

#include "experiments/studies/seeded_draw.h"

namespace nplab::experiments {
namespace {

// Six digits tell the values of a sweep apart.
std::string number_text(double value, bool is_whole) {
  return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

// The value that lies `fraction`, 0 to 1, of the way between two ends.
double between(double from, double to, AxisRange::Scale scale, double fraction) {
  if (scale == AxisRange::Scale::kLogarithmic)
    return from * std::pow(to / from, fraction);
  return from + fraction * (to - from);
}

// Each whole number stands for the interval up to the next, so that both ends are as likely as the
// numbers between them.
std::string drawn_value(const AxisRange& range, double fraction) {
  if (!range.is_whole)
    return number_text(between(range.from, range.to, range.scale, fraction), false);
  const double value = std::floor(between(range.from, range.to + 1, range.scale, fraction));
  return number_text(std::clamp(value, range.from, range.to), true);
}

Combination drawn_point(const StudyAxis& axis, double fraction) {
  if (axis.range)
    return {drawn_value(*axis.range, fraction)};
  const auto count = static_cast<double>(axis.points.size());
  const auto index = static_cast<std::size_t>(fraction * count);
  return axis.points[std::min(index, axis.points.size() - 1)];
}

// Where on an axis the combinations lie, 0 up to below 1.
std::vector<double> fractions(Sampling sampling, std::size_t count, SeededDraw& draw) {
  std::vector<double> found(count);
  if (sampling == Sampling::kRandom) {
    std::generate(found.begin(), found.end(), [&] { return draw.fraction(); });
    return found;
  }
  const std::vector<std::size_t> parts = draw.shuffled(count);
  for (std::size_t i = 0; i < count; ++i)
    found[i] = (static_cast<double>(parts[i]) + draw.fraction()) / static_cast<double>(count);
  return found;
}

void append(Combination& combination, const Combination& values) {
  combination.insert(combination.end(), values.begin(), values.end());
}

}  // namespace

std::vector<std::string> spaced_values(const AxisRange& range, std::size_t count) {
  assert(count >= 2 && "a range has two ends");
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double fraction = static_cast<double>(i) / static_cast<double>(count - 1);
    const double value = between(range.from, range.to, range.scale, fraction);
    std::string text = number_text(range.is_whole ? std::round(value) : value, range.is_whole);
    if (values.empty() || values.back() != text)
      values.push_back(std::move(text));
  }
  return values;
}

std::vector<Combination> grid(const std::vector<StudyAxis>& axes) {
  std::vector<Combination> combinations{{}};
  for (const StudyAxis& axis : axes) {
    std::vector<Combination> longer;
    for (const Combination& before : combinations) {
      for (const Combination& values : axis.points) {
        longer.push_back(before);
        append(longer.back(), values);
      }
    }
    combinations = std::move(longer);
  }
  return combinations;
}

std::vector<Combination> sample(const std::vector<StudyAxis>& axes, Sampling sampling,
                                std::size_t count, std::uint64_t seed) {
  SeededDraw draw(seed);
  std::vector<Combination> combinations(count);
  for (const StudyAxis& axis : axes) {
    const std::vector<double> places = fractions(sampling, count, draw);
    for (std::size_t i = 0; i < count; ++i)
      append(combinations[i], drawn_point(axis, places[i]));
  }
  return combinations;
}

std::vector<Combination> without_duplicates(const std::vector<Combination>& combinations) {
  std::set<Combination> seen;
  std::vector<Combination> unique;
  for (const Combination& combination : combinations) {
    if (seen.insert(combination).second)
      unique.push_back(combination);
  }
  return unique;
}

}  // namespace nplab::experiments
