// The P-set of one dimension: the disjoint intervals into which the ends of the rules' ranges cut
// its axis, each with the vector of the rules that overlap it (Lakshman and Stiliadis, SIGCOMM
// 1998).
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/rules/rule_set.h"

namespace nplab::mappings::bit_vector {

// Rule i is bit 31 - i % 32 of longword i / 32.
using BitVector = std::vector<std::uint32_t>;

struct Interval {
  std::uint64_t low = 0;  // it reaches to the next one's low - 1
  BitVector rules;
};

// In ascending order, the first from 0, at most 2N + 1 for N rules; together they cover the whole
// axis.
std::vector<Interval> make_p_set(const workloads::RuleSet& rules, std::size_t dimension);

}  // namespace nplab::mappings::bit_vector
