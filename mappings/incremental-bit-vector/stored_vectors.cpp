#include "mappings/incremental-bit-vector/stored_vectors.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace nplab::mappings::incremental_bit_vector {
namespace {

using bit_vector::BitVector;
using bit_vector::Interval;

// The rules that one of the two has, ascending; none if they are more than `most`.
std::optional<std::vector<std::uint32_t>> difference(const BitVector& a, const BitVector& b,
                                                     std::size_t most) {
  std::vector<std::uint32_t> rules;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    for (std::uint32_t bits = a[i] ^ b[i]; bits != 0;) {
      const auto first = static_cast<std::uint32_t>(std::countl_zero(bits));
      if (rules.size() == most)
        return std::nullopt;
      rules.push_back(32 * i + first);
      bits &= ~(0x80000000u >> first);
    }
  }
  return rules;
}

// The last of the next few intervals from which all from `from` on differ by at most `most` rules.
// Neighbours differ by one rule or more, so that few are worth a try.
std::size_t choose_stored(const std::vector<Interval>& intervals, std::size_t from,
                          std::size_t most) {
  for (std::size_t stored = std::min(from + most, intervals.size() - 1); stored > from; --stored) {
    std::size_t at = from;
    while (at < stored && difference(intervals[at].rules, intervals[stored].rules, most))
      ++at;
    if (at == stored)
      return stored;
  }
  return from;
}

}  // namespace

std::vector<Difference> differences(const std::vector<Interval>& intervals, std::size_t most) {
  std::vector<Difference> all;
  while (all.size() < intervals.size()) {
    const std::size_t stored = choose_stored(intervals, all.size(), most);
    while (all.size() < intervals.size()) {
      auto rules = difference(intervals[all.size()].rules, intervals[stored].rules, most);
      if (!rules)
        break;
      all.push_back({stored, std::move(*rules)});
    }
  }
  return all;
}

}  // namespace nplab::mappings::incremental_bit_vector
