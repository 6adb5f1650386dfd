// The tables are those of the aggregated bit vector.
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {

std::unique_ptr<TableBuilder> make_aggregated_bit_vector_builder(const BuildInputs& inputs);

std::unique_ptr<TableBuilder> make_parallel_bit_evaluation_builder(const BuildInputs& inputs) {
  return make_aggregated_bit_vector_builder(inputs);
}

}  // namespace nplab::mappings
