// The tables of tries of two dimensions (layout.h).
#pragma once

#include <memory>
#include <string>

#include "mappings/grid-of-tries/tries.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings::tries {

// Why a rule set is refused.
std::string too_many_nodes(std::size_t rules, std::size_t most_nodes);

std::unique_ptr<TableBuilder> make_trie_builder(TrieKind kind, const BuildInputs& inputs);

}  // namespace nplab::mappings::tries
