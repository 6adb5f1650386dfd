// Hash tables of rules by tuple, as tuple space search and its descendants lay them out in memory.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "mappings/tables/table_builder.h"
#include "mappings/tuple-space-search/layout.h"

namespace nplab::mappings::tuple_space {

// How many leading bits of each field a hash table looks at.
using Tuple = std::vector<unsigned>;

// The leading bits that all values of each of the rule's ranges share: of a prefix its length; a
// range that is none is held to be the least prefix around it, and looked at again when the hash
// table gives the rule.
Tuple tuple_of(const workloads::RuleSet& rules, std::uint32_t rule);

// A field of `bits` with its `length` leading bits set.
std::uint32_t mask_of(unsigned bits, unsigned length);

// Can rules of tuple `rule` live in a table of tuple `table`?
bool covers(const Tuple& table, const Tuple& rule);

struct HashTable {
  Tuple tuple;
  std::vector<std::uint32_t> rules;  // ascending
};

// One table for each tuple that occurs, in the order of their first rules (Srinivasan, Suri and
// Varghese, "Packet classification using tuple space search", SIGCOMM 1999).
std::vector<HashTable> tables_by_tuple(const workloads::RuleSet& rules,
                                       const BuildProgress& progress = {});

// Which hash tables the rules get; calls `progress` with 0 to 1 where that takes long.
using ChooseTables = std::function<std::vector<HashTable>(const workloads::RuleSet& rules,
                                                          const BuildProgress& progress)>;

// A rule in the table `entries`, the link to the next one aside.
using RuleEntry = std::array<std::uint32_t, ENTRY_BYTES / 4>;
RuleEntry rule_entry(const workloads::RuleSet& rules, std::uint32_t index);

// In which order the tables lie in memory, and so are searched: that of their best rules, by which
// a search may stop early, or the one in which they were chosen.
enum class TableOrder { kByBestRule, kAsChosen };

// Builds the tables of layout.h. A hash table has at least twice as many slots as rules. Where
// updates are expected, the hash tables hold all rules that may be in force, so that none is made
// or moved later: only rules come and go.
std::unique_ptr<TableBuilder> make_tuple_builder(ChooseTables choose, const BuildInputs& inputs,
                                                 TableOrder order = TableOrder::kByBestRule);

}  // namespace nplab::mappings::tuple_space
