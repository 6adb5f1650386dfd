// Builds the hash tables of TupleMerge.
#include "merge.h"

namespace nplab::mappings {

TableSet build_tuple_merge(const BuildInputs& inputs, Diagnostics&) {
  const auto limit = static_cast<std::size_t>(inputs.parameter("collision_limit"));
  return tuple_space::write_tables(tuple_merge::merge_tables(inputs.rules, limit), inputs);
}

}  // namespace nplab::mappings
