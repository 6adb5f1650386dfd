#include "support/near_miss.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace nplab {
namespace {

// Levenshtein's distance with transpositions of neighbours (optimal string alignment), one row at a
// time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

// Of a word, so that something of it stays.
std::size_t most_edits(std::string_view unknown) {
  constexpr std::size_t kShort = 4;
  if (unknown.size() <= kShort)
    return unknown.size() > 1 ? 1 : 0;
  return std::max<std::size_t>(2, unknown.size() / 3);
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

std::string suggestion(std::string_view unknown, const std::vector<std::string>& known,
                       std::string_view before) {
  const auto names = by_distance(unknown, known);
  if (!names.empty() && names.front().first <= most_edits(unknown)) {
    std::string text = fmt::format("did you mean '{}{}'", before, names[0].second);
    if (names.size() > 1 && names[1].first == names[0].first)
      text += fmt::format(" or '{}{}'", before, names[1].second);
    return text + "?";
  }
  const bool all = known.size() <= kMostListed;
  std::vector<std::string> listed;
  for (std::size_t i = 0; i < (all ? known.size() : kNearest); ++i)
    listed.push_back(std::string(before) + (all ? known[i] : names[i].second));
  return fmt::format("{}: {}", all ? "known" : "the nearest", fmt::join(listed, ", "));
}

}  // namespace nplab
