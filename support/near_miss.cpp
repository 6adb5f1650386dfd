#include "support/near_miss.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace nplab {
namespace {

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
    }
  }
  return row[b.size()];
}

// How far a name is from what was written: from all of it, or, one further, from a part of it,
// since `latency` may stand for `pipeline_latency`.
std::size_t distance(std::string_view unknown, std::string_view name) {
  constexpr std::size_t kShortestPart = 4;
  std::size_t least = edit_distance(unknown, name);
  for (std::size_t begin = 0; begin < name.size() && unknown.size() >= kShortestPart;) {
    const std::size_t end = std::min(name.find_first_of("_.", begin), name.size());
    if (end - begin >= kShortestPart && end - begin < name.size())
      least = std::min(least, 1 + edit_distance(unknown, name.substr(begin, end - begin)));
    begin = end + 1;
  }
  return least;
}

// The names by their distance, nearest first.
std::vector<std::pair<std::size_t, std::string>> by_distance(
    std::string_view unknown, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> names;
  for (const std::string& name : known)
    names.emplace_back(distance(unknown, name), name);
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return names;
}

constexpr std::size_t kMostListed = 20;
constexpr std::size_t kNearest = 10;

}  // namespace

std::string suggestion(std::string_view unknown, const std::vector<std::string>& known) {
  const auto names = by_distance(unknown, known);
  if (!names.empty() && names.front().first <= std::max<std::size_t>(2, unknown.size() / 3)) {
    std::string text = fmt::format("did you mean '{}'", names[0].second);
    if (names.size() > 1 && names[1].first == names[0].first)
      text += fmt::format(" or '{}'", names[1].second);
    return text + "?";
  }
  if (known.size() <= kMostListed)
    return fmt::format("known: {}", fmt::join(known, ", "));
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < kNearest; ++i)
    nearest.push_back(names[i].second);
  return fmt::format("the nearest: {}", fmt::join(nearest, ", "));
}

}  // namespace nplab
