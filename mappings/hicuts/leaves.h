// The leaves of a decision tree as tables: lists of rule numbers, and the rules' records
// (layout.h), which the task in scan.c compares.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mappings/tables/table_builder.h"

namespace nplab::mappings::hicuts {

using LeafRules = std::vector<std::uint32_t>;  // ascending

// Different leaves, numbered from 0 in the order in which they first occur.
class LeafSet {
 public:
  std::size_t number_of(const LeafRules& rules);
  [[nodiscard]] const std::vector<LeafRules>& leaves() const { return leaves_; }

 private:
  std::vector<LeafRules> leaves_;
  std::map<LeafRules, std::size_t> numbers_;
};

TableSize leaves_size(const std::string& table, const std::vector<LeafRules>& leaves);
TableSize rules_size(const std::string& table, const workloads::RuleSet& rules);

// The address of each leaf's first rule number; 0 if it has none.
std::vector<std::uint32_t> write_leaves(const std::vector<LeafRules>& leaves,
                                        const TablePlace& place, MemoryImage& image);
void write_rules(const workloads::RuleSet& rules, const TablePlace& place, MemoryImage& image);

}  // namespace nplab::mappings::hicuts
