#include "mappings/bit-vector/vector_numbers.h"

#include <algorithm>

namespace nplab::mappings::bit_vector {

LeafNumber VectorNumbers::number_of(const BitVector& vector) {
  if (std::all_of(vector.begin(), vector.end(), [](std::uint32_t bits) { return bits == 0; }))
    return 0;
  const auto next = static_cast<LeafNumber>(numbers_.size() + 1);
  return numbers_.emplace(vector, next).first->second;
}

std::vector<std::uint32_t> VectorNumbers::addresses(std::uint32_t base, std::uint32_t bytes) const {
  std::vector<std::uint32_t> addresses = {0};
  for (std::uint32_t i = 0; i < numbers_.size(); ++i)
    addresses.push_back(base + i * bytes);
  return addresses;
}

std::size_t add_tries(const workloads::RuleSet& rules, VectorNumbers& vectors, TrieSet& tries) {
  std::size_t intervals = 0;
  for (std::size_t d = 0; d < rules.fields().size(); ++d) {
    TrieIntervals trie;
    for (const Interval& interval : make_p_set(rules, d)) {
      trie.lows.push_back(interval.low);
      trie.leaves.push_back(vectors.number_of(interval.rules));
    }
    intervals += trie.lows.size();
    tries.add(d, rules.fields()[d].bits, trie);
  }
  return intervals;
}

}  // namespace nplab::mappings::bit_vector
