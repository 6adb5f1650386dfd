#include "leaves.h"

#include <fmt/format.h>

#include <algorithm>

#include "mappings/tables/action_word.h"
#include "rule_layout.h"

namespace nplab::mappings::hicuts {

std::size_t LeafSet::number_of(const LeafRules& rules) {
  const auto [known, is_new] = numbers_.try_emplace(rules, leaves_.size());
  if (is_new)
    leaves_.push_back(rules);
  return known->second;
}

TableSize leaves_size(const std::string& table, const std::vector<LeafRules>& leaves) {
  std::size_t rules = 0;
  std::size_t largest = 0;
  for (const LeafRules& leaf : leaves) {
    rules += leaf.size();
    largest = std::max(largest, leaf.size());
  }
  return {table, std::uint64_t{rules} * LEAF_RULE_BYTES,
          fmt::format("{} rule numbers of {} different leaves (at most {} in one) x {} bytes",
                      rules, leaves.size(), largest, LEAF_RULE_BYTES)};
}

TableSize rules_size(const std::string& table, const workloads::RuleSet& rules) {
  return {table, std::uint64_t{rules.size()} * RULE_BYTES,
          fmt::format("{} rules x {} bytes", rules.size(), RULE_BYTES)};
}

std::vector<std::uint32_t> write_leaves(const std::vector<LeafRules>& leaves,
                                        const TablePlace& place, MemoryImage& image) {
  std::vector<std::uint32_t> addresses;
  std::uint32_t at = place.base;
  for (const LeafRules& leaf : leaves) {
    addresses.push_back(leaf.empty() ? 0 : at);
    for (const std::uint32_t rule : leaf) {
      image.put_longword(place.space, at, rule);
      at += LEAF_RULE_BYTES;
    }
  }
  return addresses;
}

void write_rules(const workloads::RuleSet& rules, const TablePlace& place, MemoryImage& image) {
  std::uint32_t at = place.base;
  for (const workloads::Rule& rule : rules.rules()) {
    for (std::uint32_t i = 0; i < RULE_BYTES / 4; ++i)
      image.put_longword(place.space, at + 4 * i, 0);
    for (std::uint32_t f = 0; f < rule.ranges.size(); ++f) {
      const workloads::Range& range = rule.ranges[f];
      image.put_longword(place.space, at + 4 * RULE_LOW(f), static_cast<std::uint32_t>(range.low));
      image.put_longword(place.space, at + 4 * RULE_HIGH(f),
                         static_cast<std::uint32_t>(range.high));
    }
    image.put_longword(place.space, at + 4 * RULE_ACTION, action_word(rule.action));
    at += RULE_BYTES;
  }
}

}  // namespace nplab::mappings::hicuts
