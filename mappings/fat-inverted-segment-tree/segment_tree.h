// The fat inverted segment tree over the ranges of field 0.
#pragma once

#include <cstdint>
#include <vector>

#include "mappings/hicuts/leaves.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::segment_tree {

constexpr std::size_t kNoParent = ~std::size_t{0};

struct Node {
  std::size_t parent = kNoParent;
  hicuts::LeafRules
      rules;  // their ranges of field 0 contain the node's segments, but not its parent's
};

struct SegmentTree {
  std::vector<std::uint64_t> lows;  // of the segments, ascending, the first 0
  std::vector<Node> nodes;  // those of the segments first, then level by level, the root last
  std::size_t fan_out = 0;
};

// Feldman and Muthukrishnan, "Tradeoffs for packet classification", INFOCOM 2000. The ends of the
// rules' ranges of field 0 divide its axis into segments. Above them stand `levels` levels of nodes
// with equally many children, as few as suffice for one root. A rule is in at most
// 2 x (fan-out - 1) nodes of a level.
SegmentTree make_tree(const workloads::RuleSet& rules, unsigned levels);

// The intervals of field 1 and, by interval, the list of those of the rules that match there.
struct Intervals {
  std::vector<std::uint64_t> lows;
  std::vector<hicuts::LeafRules> rules;
};
Intervals make_intervals(const workloads::RuleSet& set, const hicuts::LeafRules& rules);

}  // namespace nplab::mappings::segment_tree
