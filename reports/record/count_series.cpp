#include "reports/record/count_series.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace nplab::reports {
namespace {

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (status != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return count;
}

// A run has hundreds of thousands of counts: formatted by pattern they would take longer than the
// rest of its record.
void add_count(std::string& text, std::uint64_t count) {
  std::array<char, std::numeric_limits<std::uint64_t>::digits10 + 1> digits{};
  text.append(digits.data(),
              std::to_chars(digits.data(), digits.data() + digits.size(), count).ptr);
}

}  // namespace

std::string to_text(const CountSeries& series) {
  std::string text;
  for (auto at = series.values.begin(); at != series.values.end();) {
    const auto next =
        std::find_if(at, series.values.end(), [at](std::uint64_t value) { return value != *at; });
    if (!text.empty())
      text += ' ';
    add_count(text, *at);
    if (next - at > 1)
      add_count(text += '*', static_cast<std::uint64_t>(next - at));
    at = next;
  }
  return text;
}

std::optional<CountSeries> parse_count_series(std::string_view text) {
  CountSeries series;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const auto star = word.find('*');
    const auto value = parse_count(word.substr(0, star));
    const auto times = star == std::string_view::npos ? 1 : parse_count(word.substr(star + 1));
    if (!value || !times || *times > kMostCounts - series.values.size())
      return std::nullopt;
    series.values.insert(series.values.end(), *times, *value);
  }
  return series;
}

}  // namespace nplab::reports
