// What a study varies: axes, and the combinations of their values that are run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nplab::experiments {

// A value for each name that a study varies, in the order of the names, as the file writes it.
using Combination = std::vector<std::string>;

// The numbers between two ends, both included.
struct AxisRange {
  enum class Scale { kLinear, kLogarithmic };  // the second: both ends above 0
  double from = 0;
  double to = 0;
  Scale scale = Scale::kLinear;
  bool is_whole = false;  // holds whole numbers only
};

// One name, or several that vary together, and either their values or a range to draw from.
struct StudyAxis {
  std::vector<std::string> names;
  std::vector<Combination> points;  // a value for each of the names
  std::optional<AxisRange> range;   // where there are no points
};

// `count` values, two or more, at equal distances (of their logarithms on a logarithmic scale).
// Whole numbers are rounded, and one that comes twice is given once.
std::vector<std::string> spaced_values(const AxisRange& range, std::size_t count);

// Every combination of the axes' points; the last axis varies fastest.
std::vector<Combination> grid(const std::vector<StudyAxis>& axes);

enum class Sampling { kRandom, kLatinHypercube };

// `count` combinations that are drawn: each axis independently and uniformly (on a logarithmic
// scale: its logarithm), or as a Latin hypercube (McKay, Beckman, Conover, Technometrics 21, 1979),
// which divides each axis into `count` parts of equal probability and draws from each part once. An
// axis with points draws one of them. The same seed gives the same combinations.
std::vector<Combination> sample(const std::vector<StudyAxis>& axes, Sampling sampling,
                                std::size_t count, std::uint64_t seed);

// Each combination once, in the order of its first.
std::vector<Combination> without_duplicates(const std::vector<Combination>& combinations);

}  // namespace nplab::experiments
