#include "workloads/rules/value_set.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nplab::workloads {
namespace {

constexpr int kMostScatteredBits = 16;

}  // namespace

ValueSet ValueSet::union_of(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.low < b.low; });
  ValueSet set;
  for (const Range& range : ranges) {
    assert(range.low <= range.high && "a range does not end before its start");
    const bool touches = !set.empty() && (set.ranges_.back().high == ~std::uint64_t{0} ||
                                          range.low <= set.ranges_.back().high + 1);
    if (touches) {
      set.ranges_.back().high = std::max(set.ranges_.back().high, range.high);
    } else {
      set.ranges_.push_back(range);
    }
  }
  return set;
}

bool ValueSet::contains(std::uint64_t value) const {
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [&](const Range& range) { return range.contains(value); });
}

ValueSet ValueSet::intersection(const ValueSet& other) const {
  ValueSet common;
  for (std::size_t i = 0, j = 0; i < ranges_.size() && j < other.ranges_.size();) {
    const Range& a = ranges_[i];
    const Range& b = other.ranges_[j];
    const Range both{std::max(a.low, b.low), std::min(a.high, b.high)};
    if (both.low <= both.high)
      common.ranges_.push_back(both);
    (a.high < b.high ? i : j) += 1;
  }
  return common;
}

ValueSet ValueSet::complement(unsigned bits) const {
  ValueSet rest;
  std::uint64_t next = 0;
  for (const Range& range : ranges_) {
    if (range.low > next)
      rest.ranges_.push_back({next, range.low - 1});
    if (range.high == max_value(bits))
      return rest;
    next = range.high + 1;
  }
  rest.ranges_.push_back({next, max_value(bits)});
  return rest;
}

std::vector<Range> prefixes_of(const Range& range, unsigned bits) {
  std::vector<Range> prefixes;
  for (std::uint64_t low = range.low;;) {
    // As many free bits as the start's alignment and the end allow.
    unsigned free_bits = std::min<unsigned>(bits, static_cast<unsigned>(std::countr_zero(low)));
    while (free_bits > 0 && (low | max_value(free_bits)) > range.high)
      --free_bits;
    const std::uint64_t high = free_bits == 0 ? low : low | max_value(free_bits);
    prefixes.push_back({low, high});
    if (high == range.high)
      return prefixes;
    low = high + 1;
  }
}

std::optional<ValueSet> masked_values(std::uint32_t value, std::uint32_t care) {
  const int low_free = std::countr_one(~care);
  const std::uint32_t low_mask = low_free == 32 ? ~0u : (1u << low_free) - 1;
  const std::uint32_t scattered = ~care & ~low_mask;
  if (std::popcount(scattered) > kMostScatteredBits)
    return std::nullopt;
  std::vector<Range> ranges;
  const std::uint32_t base = value & care;
  std::uint32_t subset = 0;
  do {
    const std::uint32_t low = base | subset;
    ranges.push_back({low, low | low_mask});
    subset = (subset - scattered) & scattered;  // the next subset of the scattered bits
  } while (subset != 0);
  return ValueSet::union_of(std::move(ranges));
}

}  // namespace nplab::workloads
