// A long list of counts, kept short as text: `12 0*3 4` is 12, three zeros, and 4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nplab::reports {

struct CountSeries {
  std::vector<std::uint64_t> values;
  bool operator==(const CountSeries&) const = default;
};

std::string to_text(const CountSeries& series);

// Nothing unless the text is a series of at most kMostCounts counts.
inline constexpr std::size_t kMostCounts = std::size_t{1} << 20;
std::optional<CountSeries> parse_count_series(std::string_view text);

}  // namespace nplab::reports
