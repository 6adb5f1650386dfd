// How the rules of a set lie to each other, pair by pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

struct RulePairs {
  std::uint64_t overlapping = 0;  // pairs
  std::size_t covered = 0;        // rules that one earlier rule covers
};

// Compares every rule with every earlier one, a block of rules at a time. `progress` is told the
// share done.
RulePairs compare_pairs(const RuleSet& rules, const std::function<void(double)>& progress);

}  // namespace nplab::workloads
