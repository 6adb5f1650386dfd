// Builds the hash tables of TupleMerge.
#include <utility>

#include "merge.h"

namespace nplab::mappings {

TableSet build_tuple_merge(const BuildInputs& inputs, Diagnostics&) {
  const auto limit = static_cast<std::size_t>(inputs.parameter("collision_limit"));
  auto tables = tuple_merge::merge_tables(inputs.rules, limit, part_of(inputs.progress, 0, 0.5));
  BuildInputs rest = inputs;
  rest.progress = part_of(inputs.progress, 0.5, 1);
  return tuple_space::write_tables(std::move(tables), rest);
}

}  // namespace nplab::mappings
