// The decision trees of CutSplit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mappings/hicuts/leaves.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::cutsplit {

struct ForestLimits {
  std::size_t binth = 0;       // rules that a leaf may have
  unsigned small_bits = 0;     // a range of at most 2^small_bits values is small
  unsigned cut_bits = 0;       // a cut has at most 2^cut_bits parts
  std::size_t most_nodes = 0;  // of all trees; larger ones are not built
};

struct Node {
  enum class Kind { kLeaf, kSplit, kCut };
  Kind kind = Kind::kLeaf;
  unsigned field = 0;
  std::uint64_t value = 0;  // of a split: the last of the first child
  unsigned shift = 0;       // of a cut: child (field >> shift) & mask
  std::uint32_t mask = 0;
  std::size_t first_child = 0;
  std::size_t leaf = 0;  // of a leaf: its list of rules
};

struct Forest {
  std::vector<std::size_t> roots;          // by increasing first rule
  std::vector<std::uint32_t> first_rules;  // by tree
  std::vector<Node> nodes;
  std::vector<hicuts::LeafRules> leaves;
  std::size_t cut_nodes = 0;
  std::size_t depth = 0;  // inner nodes on the longest path
};

// Li, Li, Li and Xie, "CutSplit: A decision-tree combining cutting and splitting for scalable
// packet classification", INFOCOM 2018. The rules are divided by which of fields 0 and 1 have small
// ranges: both, one, the other, none. Each part has a tree. Its small fields are first cut into
// equal parts, down to blocks of 2^small_bits values, so that few rules are in several parts; then
// nodes are split as HyperSplit does. Leading bits that all rules of a node share are not cut.
// Nothing if there are more than most_nodes.
std::optional<Forest> make_forest(const workloads::RuleSet& rules, const ForestLimits& limits);

}  // namespace nplab::mappings::cutsplit
