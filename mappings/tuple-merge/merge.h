// TupleMerge's choice of hash tables.
#pragma once

#include <cstddef>
#include <vector>

#include "mappings/tuple-space-search/tuple_tables.h"

namespace nplab::mappings::tuple_merge {

// The tuple of the table that a rule gets when no table will take it. Fields of 24 bits and more
// are addresses. A rule with an address keeps its longer one, and the other unless that is more
// than four bits shorter, both cut to a multiple of four bits, and nothing else. A rule without
// keeps its exact fields.
tuple_space::Tuple relaxed(const workloads::RuleSet& rules, const tuple_space::Tuple& tuple);

// Rules in their order, each into the first table whose tuple is no longer than its own in any
// field and where fewer than `collision_limit` rules have its key. Where the tables that could take
// it are full at its key, the rules there and this one get a table of what their tuples have in
// common, if that tells more bits; else the rule gets one of its own tuple. After Daly et al.,
// "TupleMerge: Fast software packet processing for online packet classification", IEEE/ACM
// Transactions on Networking 27(4), 2019; the cutting of addresses is simplified.
std::vector<tuple_space::HashTable> merge_tables(const workloads::RuleSet& rules,
                                                 std::size_t collision_limit,
                                                 const BuildProgress& progress = {});

}  // namespace nplab::mappings::tuple_merge
