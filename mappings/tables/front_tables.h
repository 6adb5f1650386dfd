// The tables of a front (mappings/files/front.h): none is written before a run.
#pragma once

#include <vector>

#include "mappings/tables/table_builder.h"

namespace nplab::mappings {

// Of the flow cache.
std::vector<TableSize> front_table_sizes(const ParameterValues& parameters);

}  // namespace nplab::mappings
