// The classes of each dimension's intervals, and the rule of each combination of them.
#pragma once

#include <cstdint>
#include <vector>

#include "mappings/bit-vector/p_set.h"
#include "mappings/bit-vector/trie.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::cross_producting {

// Intervals of one dimension that the same rules cover are one class, numbered from 1 in ascending
// order of their first intervals; class 0 has no rules.
struct DimensionClasses {
  std::vector<std::uint64_t> lows;             // of the intervals
  std::vector<std::uint32_t> class_of;         // by interval
  std::vector<bit_vector::BitVector> members;  // by class: its rules
  [[nodiscard]] std::size_t count() const { return members.size() - 1; }
};

DimensionClasses make_classes(const workloads::RuleSet& rules, std::size_t dimension);

// Srinivasan, Varghese, Suri and Waldvogel, "Fast and scalable layer four switching", SIGCOMM 1998.
// The first matching rule, or NO_MATCH, of each combination of classes 1 and above; the class of
// dimension 0 weighs most.
std::vector<std::uint32_t> make_products(const std::vector<DimensionClasses>& dimensions);

}  // namespace nplab::mappings::cross_producting
