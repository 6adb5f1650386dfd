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

}  // namespace

std::string suggestion(std::string_view unknown, const std::vector<std::string>& known) {
  const auto distance = [&](const std::string& name) { return edit_distance(unknown, name); };
  const auto nearest =
      std::min_element(known.begin(), known.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  if (nearest != known.end() &&
      distance(*nearest) <= std::max<std::size_t>(2, unknown.size() / 3)) {
    return fmt::format("did you mean '{}'?", *nearest);
  }
  return fmt::format("known: {}", fmt::join(known, ", "));
}

}  // namespace nplab
