// Builds the grid of tries.
#include "mappings/grid-of-tries/trie_tables.h"

namespace nplab::mappings {

std::unique_ptr<TableBuilder> make_grid_of_tries_builder(const BuildInputs& inputs) {
  return tries::make_trie_builder(tries::TrieKind::kGrid, inputs);
}

}  // namespace nplab::mappings
