// The packets of a node of a decision tree, as a box of one range per field, and the rules that
// they can match.
#pragma once

#include <cstdint>
#include <vector>

#include "mappings/hicuts/leaves.h"
#include "workloads/base/field.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::hicuts {

using Box = std::vector<workloads::Range>;  // by field

// All packets.
Box whole_box(const workloads::RuleSet& set);

// All rules of the set.
LeafRules all_rules(const workloads::RuleSet& set);

// Which of `rules` match values of `part` in the field.
LeafRules rules_in(const workloads::RuleSet& set, const LeafRules& rules, unsigned field,
                   const workloads::Range& part);

// A rule that every packet of the box matches hides those after it, which are removed.
void drop_hidden(const workloads::RuleSet& set, const Box& box, LeafRules& rules);

// A block of 2^bits values that begins at a multiple of its size: what a node can cut into equal
// parts by bits of the field.
struct Block {
  std::uint64_t first = 0;
  unsigned bits = 0;

  // Part `number` of those of 2^shift values.
  [[nodiscard]] workloads::Range part(std::size_t number, unsigned shift) const {
    const std::uint64_t low = first + (std::uint64_t{number} << shift);
    return {low, low + (std::uint64_t{1} << shift) - 1};
  }
};

// The smallest block that contains both values.
Block block_around(std::uint64_t low, std::uint64_t high);

}  // namespace nplab::mappings::hicuts
