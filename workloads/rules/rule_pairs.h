// How the rules of a set lie to each other: which overlap, and which are covered by an earlier one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

struct RulePairs {
  std::uint64_t overlapping = 0;  // pairs of rules that some header matches both of
  std::size_t covered = 0;        // rules that one earlier rule covers
};

// Counts exactly, by a join of a bounding volume hierarchy with itself (as for boxes in Brinkhoff,
// Kriegel and Seeger, "Efficient Processing of Spatial Joins Using R-trees", 1993): two groups of
// rules of which none or all overlap are counted at once. A set whose groups never settle takes
// time quadratic in its rules. `progress` receives the share that is done, 0 to 1.
RulePairs compare_pairs(const RuleSet& rules, const std::function<void(double)>& progress);

}  // namespace nplab::workloads
