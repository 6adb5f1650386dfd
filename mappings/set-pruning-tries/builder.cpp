// Builds set-pruning tries.
#include "mappings/grid-of-tries/trie_tables.h"

namespace nplab::mappings {

std::unique_ptr<TableBuilder> make_set_pruning_tries_builder(const BuildInputs& inputs) {
  return tries::make_trie_builder(tries::TrieKind::kSetPruning, inputs);
}

}  // namespace nplab::mappings
