// Builds hierarchical tries.
#include "mappings/grid-of-tries/trie_tables.h"

namespace nplab::mappings {

std::unique_ptr<TableBuilder> make_hierarchical_tries_builder(const BuildInputs& inputs) {
  return tries::make_trie_builder(tries::TrieKind::kHierarchical, inputs);
}

}  // namespace nplab::mappings
