// Lists of rules in memory (layout.h, table `lists`), which lists.h (engine C) compares.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mappings/hicuts/leaves.h"
#include "mappings/tables/table_builder.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::tries {

// Leaves out rules after one that every packet matches whose fields 0 and 1 match.
void drop_hidden(const workloads::RuleSet& rules, hicuts::LeafRules& list);

TableSize lists_size(const std::string& table, const std::vector<hicuts::LeafRules>& lists);

// The address of each list.
std::vector<std::uint32_t> write_lists(const std::vector<hicuts::LeafRules>& lists,
                                       const TablePlace& place, MemoryImage& image);

}  // namespace nplab::mappings::tries
