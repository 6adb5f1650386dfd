#include "p_set.h"

#include <map>

#include "layout.h"

namespace nplab::mappings::bit_vector {

std::vector<Interval> make_p_set(const workloads::RuleSet& rules, std::size_t dimension) {
  const std::uint64_t axis_end = workloads::max_value(rules.fields()[dimension].bits);
  std::map<std::uint64_t, std::vector<std::size_t>>
      changes;  // at a value: the rules that begin, or ended just before
  changes[0];
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const workloads::Range& range = rules.rules()[i].ranges[dimension];
    changes[range.low].push_back(i);
    if (range.high < axis_end)
      changes[range.high + 1].push_back(i);
  }
  std::vector<Interval> intervals;
  BitVector current(VECTOR_LONGWORDS(static_cast<std::uint32_t>(rules.size())));
  for (const auto& [low, changing] : changes) {
    for (const std::size_t i : changing)
      current[i / 32] ^= VECTOR_FIRST_BIT >> i % 32;
    intervals.push_back({low, current});
  }
  return intervals;
}

}  // namespace nplab::mappings::bit_vector
