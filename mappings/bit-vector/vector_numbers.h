// The different bit vectors of all P-sets, numbered: intervals with equal vectors share one, across
// dimensions too.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "mappings/bit-vector/p_set.h"
#include "mappings/bit-vector/trie.h"

namespace nplab::mappings::bit_vector {

class VectorNumbers {
 public:
  // The number of the leaf that leads to the vector: from 1 in the order in which vectors first
  // occur; 0 stands for the vector without a rule, which is not stored.
  LeafNumber number_of(const BitVector& vector);

  // How many are stored.
  [[nodiscard]] std::size_t count() const { return numbers_.size(); }

  // By number, of records of `bytes` each from `base` up; 0 for number 0.
  [[nodiscard]] std::vector<std::uint32_t> addresses(std::uint32_t base, std::uint32_t bytes) const;

  // visit(number, vector) for each that is stored.
  template <typename Visit>
  void each(Visit visit) const {
    for (const auto& [vector, number] : numbers_)
      visit(number, vector);
  }

 private:
  std::map<BitVector, LeafNumber> numbers_;
};

// Makes the trie of every dimension of the rules; the number of their intervals.
std::size_t add_tries(const workloads::RuleSet& rules, VectorNumbers& vectors, TrieSet& tries);

}  // namespace nplab::mappings::bit_vector
