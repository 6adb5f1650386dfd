// Builds the hash tables of tuple space search: one for every tuple that a rule has.
#include "tuple_tables.h"

namespace nplab::mappings {

TableSet build_tuple_space_search(const BuildInputs& inputs, Diagnostics&) {
  return tuple_space::write_tables(tuple_space::tables_by_tuple(inputs.rules), inputs);
}

}  // namespace nplab::mappings
