// Builds the hash tables of TupleMerge.
#include "merge.h"

namespace nplab::mappings {

std::unique_ptr<TableBuilder> make_tuple_merge_builder(const BuildInputs& inputs) {
  const auto limit = static_cast<std::size_t>(inputs.parameter("collision_limit"));
  const auto choose = [limit](const workloads::RuleSet& rules, const BuildProgress& progress) {
    return tuple_merge::merge_tables(rules, limit, progress);
  };
  return tuple_space::make_tuple_builder(choose, inputs);
}

}  // namespace nplab::mappings
