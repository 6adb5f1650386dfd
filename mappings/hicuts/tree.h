// The decision tree of HiCuts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mappings/hicuts/leaves.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::hicuts {

struct TreeLimits {
  std::size_t binth = 0;  // rules that a leaf may have without being cut
  // Rules of all children together and their number: at most so many times the node's.
  std::size_t spfac = 0;
  std::size_t most_nodes = 0;  // a larger tree is not built
};

struct Node {
  bool is_leaf = true;
  unsigned field = 0;  // inner: child number (value >> shift) & mask
  unsigned shift = 0;
  std::uint32_t mask = 0;
  std::size_t first_child = 0;  // its number among the nodes; the others follow
  std::size_t leaf = 0;         // a leaf's: which list of rules
};

struct Tree {
  std::vector<Node> nodes;        // the root first
  std::vector<LeafRules> leaves;  // different lists of rules
  std::size_t depth = 0;          // levels of inner nodes
  std::size_t largest_leaf = 0;
};

// Gupta and McKeown, "Classifying packets with hierarchical intelligent cuttings", IEEE Micro
// 20(1), 2000. The cut of a node is in the field whose largest child is smallest. Parts are powers
// of two of the field's values, at most 256; the leading bits that all rules but those of the full
// range share are left out. Rules after one that matches every packet of a node are left out.
// Children whose rules all reach over their whole part share a subtree. A node that no cut makes
// smaller is a leaf, whatever binth says. Nothing when the tree has more than most_nodes.
std::optional<Tree> make_tree(const workloads::RuleSet& rules, const TreeLimits& limits);

}  // namespace nplab::mappings::hicuts
