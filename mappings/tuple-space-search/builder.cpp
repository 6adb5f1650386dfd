// Builds the hash tables of tuple space search: one for every tuple that a rule has.
#include "tuple_tables.h"

namespace nplab::mappings {

std::unique_ptr<TableBuilder> make_tuple_space_search_builder(const BuildInputs& inputs) {
  return tuple_space::make_tuple_builder(tuple_space::tables_by_tuple, inputs);
}

}  // namespace nplab::mappings
