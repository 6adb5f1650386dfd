#include "boxes.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "workloads/base/range_relations.h"

namespace nplab::mappings::hicuts {

Box whole_box(const workloads::RuleSet& set) {
  Box box;
  for (const auto& field : set.fields())
    box.push_back(workloads::any_value(field));
  return box;
}

LeafRules all_rules(const workloads::RuleSet& set) {
  LeafRules all(set.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

LeafRules rules_in(const workloads::RuleSet& set, const LeafRules& rules, unsigned field,
                   const workloads::Range& part) {
  LeafRules inside;
  std::copy_if(rules.begin(), rules.end(), std::back_inserter(inside), [&](std::uint32_t rule) {
    return workloads::overlap(set.rules()[rule].ranges[field], part);
  });
  return inside;
}

void drop_hidden(const workloads::RuleSet& set, const Box& box, LeafRules& rules) {
  const auto covers = [&](std::uint32_t rule) {
    return std::equal(box.begin(), box.end(), set.rules()[rule].ranges.begin(),
                      [](const workloads::Range& packets, const workloads::Range& own) {
                        return workloads::contains(own, packets);
                      });
  };
  const auto first = std::find_if(rules.begin(), rules.end(), covers);
  if (first != rules.end())
    rules.erase(std::next(first), rules.end());
}

Block block_around(std::uint64_t low, std::uint64_t high) {
  const auto bits = static_cast<unsigned>(std::bit_width(low ^ high));
  return {low >> bits << bits, bits};
}

}  // namespace nplab::mappings::hicuts
