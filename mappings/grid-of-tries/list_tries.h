// Tries over the prefixes of one field, with a list of rules at each node.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mappings/grid-of-tries/rule_lists.h"
#include "mappings/tables/table_builder.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::tries {

constexpr std::size_t kNone = ~std::size_t{0};

// A field's leading bits.
struct Prefix {
  std::uint64_t value = 0;  // the first of the prefix
  unsigned length = 0;
  unsigned field_bits = 0;

  [[nodiscard]] unsigned bit(unsigned level) const { return value >> (field_bits - 1 - level) & 1; }
};

// The prefixes that make up the rule's range. A field that the rules do not have is the empty
// prefix.
std::vector<Prefix> prefixes_of(const workloads::RuleSet& rules, std::uint32_t rule,
                                std::size_t field);

// A rule at a prefix.
struct Place {
  Prefix prefix;
  std::uint32_t rule = 0;
};

struct ListNode {
  std::size_t children[2] = {kNone, kNone};
  std::size_t list = kNone;
};

class ListTries {
 public:
  // Of all packets that come to a list, fields 0 and 1 match its rules.
  ListTries(const workloads::RuleSet& rules, std::size_t most_nodes)
      : rules_(rules), most_nodes_(most_nodes) {}

  // The root of a new trie. It uses the prefixes' bits from `first_level` on. A trie that gets too
  // large is not complete.
  std::size_t add(const std::vector<Place>& places, unsigned first_level = 0);

  // Makes the trie go on where another has more: its lists get the rules of the other's, and its
  // missing children become the other's. The other was complete and joined before.
  void join(std::size_t node, std::size_t other);

  [[nodiscard]] bool is_too_large() const { return nodes_.size() > most_nodes_; }
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  [[nodiscard]] std::size_t switch_pointers() const { return switch_pointers_; }

  // After the last trie: equal lists are one, and rules after one that all packets of a list match
  // are left out.
  void finish();

  [[nodiscard]] TableSize nodes_size(const std::string& table) const;
  [[nodiscard]] const std::vector<hicuts::LeafRules>& lists() const { return lists_; }
  void write(const TablePlace& tries, const TablePlace& lists, MemoryImage& image) const;

  // 0 for none.
  [[nodiscard]] static std::uint32_t address_of(std::size_t root, const TablePlace& tries);

 private:
  std::size_t add_node();

  const workloads::RuleSet& rules_;
  const std::size_t most_nodes_;
  std::vector<ListNode> nodes_;
  std::vector<hicuts::LeafRules> rules_at_;  // by node, until finish()
  std::vector<hicuts::LeafRules> lists_;     // different lists, none of them empty
  std::size_t switch_pointers_ = 0;
};

}  // namespace nplab::mappings::tries
