#include "list_tries.h"

#include <fmt/format.h>

#include <algorithm>

#include "layout.h"
#include "workloads/rules/value_set.h"

namespace nplab::mappings::tries {

std::vector<Prefix> prefixes_of(const workloads::RuleSet& rules, std::uint32_t rule,
                                std::size_t field) {
  if (field >= rules.fields().size())
    return {{}};
  const unsigned bits = rules.fields()[field].bits;
  std::vector<Prefix> prefixes;
  for (const auto& part : workloads::prefixes_of(rules.rules()[rule].ranges[field], bits))
    prefixes.push_back({part.low, *workloads::prefix_length(part, bits), bits});
  return prefixes;
}

std::size_t ListTries::add_node() {
  nodes_.emplace_back();
  rules_at_.emplace_back();
  return nodes_.size() - 1;
}

std::size_t ListTries::add(const std::vector<Place>& places, unsigned first_level) {
  const std::size_t root = add_node();
  for (const Place& place : places) {
    std::size_t node = root;
    for (unsigned level = first_level; level < place.prefix.length && !is_too_large(); ++level) {
      const unsigned bit = place.prefix.bit(level);
      if (nodes_[node].children[bit] == kNone) {
        const std::size_t child = add_node();
        nodes_[node].children[bit] = child;
      }
      node = nodes_[node].children[bit];
    }
    rules_at_[node].push_back(place.rule);
  }
  return root;
}

void ListTries::join(std::size_t node, std::size_t other) {
  rules_at_[node].insert(rules_at_[node].end(), rules_at_[other].begin(), rules_at_[other].end());
  for (const unsigned bit : {0, 1}) {
    const std::size_t target = nodes_[other].children[bit];
    std::size_t& child = nodes_[node].children[bit];
    if (target == kNone)
      continue;
    if (child != kNone) {
      join(child, target);
    } else {
      child = target;
      ++switch_pointers_;
    }
  }
}

void ListTries::finish() {
  hicuts::LeafSet numbers;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    hicuts::LeafRules& list = rules_at_[i];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    drop_hidden(rules_, list);
    if (!list.empty())
      nodes_[i].list = numbers.number_of(list);
  }
  rules_at_.clear();
  lists_ = numbers.leaves();
}

TableSize ListTries::nodes_size(const std::string& table) const {
  return {table, nodes_.size() * LIST_NODE_BYTES,
          fmt::format("{} nodes x {} bytes", nodes_.size(), LIST_NODE_BYTES)};
}

std::uint32_t ListTries::address_of(std::size_t root, const TablePlace& tries) {
  return root == kNone ? 0 : tries.base + static_cast<std::uint32_t>(root) * LIST_NODE_BYTES;
}

void ListTries::write(const TablePlace& tries, const TablePlace& lists, MemoryImage& image) const {
  const auto list_addresses = write_lists(lists_, lists, image);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const ListNode& node = nodes_[i];
    const std::uint32_t place = address_of(i, tries);
    image.put_longword(tries.space, place, address_of(node.children[0], tries));
    image.put_longword(tries.space, place + 4, address_of(node.children[1], tries));
    image.put_longword(tries.space, place + 4 * LIST_NODE_LIST,
                       node.list == kNone ? 0 : list_addresses[node.list]);
    image.put_longword(tries.space, place + 4 * (LIST_NODE_LIST + 1), 0);
  }
}

}  // namespace nplab::mappings::tries
