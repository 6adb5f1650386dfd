// The decision tree of HyperSplit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mappings/hicuts/boxes.h"
#include "mappings/hicuts/leaves.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::hypersplit {

struct TreeLimits {
  std::size_t binth = 0;       // rules that a leaf may have without being split
  std::size_t most_nodes = 0;  // a larger tree is not built
};

struct Node {
  bool is_leaf = true;
  unsigned field = 0;           // inner: which field is compared,
  std::uint64_t value = 0;      // and the last value of the first child
  std::size_t first_child = 0;  // its number among the nodes; the second follows
  std::size_t leaf = 0;         // a leaf's: which list of rules
};

struct Tree {
  std::vector<Node> nodes;                // the root first
  std::vector<hicuts::LeafRules> leaves;  // different lists of rules
  std::size_t depth = 0;                  // levels of inner nodes
  std::size_t largest_leaf = 0;
};

// Qi, Xu, Yang, Xue and Li, "Packet classification algorithms: from theory to practice", INFOCOM
// 2009. The ends of a node's rules divide each field into segments. The field whose segments
// overlap the fewest rules on average is split where half of the sum of these numbers is reached.
// Rules after one that matches every packet of a node are left out. A node is a leaf with at most
// binth rules, or when all its rules match all its packets. Nothing if the tree has more than
// most_nodes.
//
// `rules`: which rules of the set the tree holds; `box`: the packets that come to it.
std::optional<Tree> make_tree(const workloads::RuleSet& set, const hicuts::LeafRules& rules,
                              const hicuts::Box& box, const TreeLimits& limits);

}  // namespace nplab::mappings::hypersplit
