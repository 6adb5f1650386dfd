// What is searched: each field, or several fields as one (superfields).
#pragma once

#include <cstdint>
#include <vector>

#include "mappings/tables/table_builder.h"

namespace nplab::mappings::many_field {

struct Search {
  std::vector<std::uint32_t> fields;  // in their order; the first one names the search
  bool is_hashed = false;             // a field that is matched exactly; else a range tree
  unsigned bits = 0;                  // of all fields
  SourceLocation location;            // of the superfield's parameter
};

// By their first fields. Superfields that share a field or have more than WIDEST_SEARCH bits are
// reported.
std::vector<Search> searches_of(const BuildInputs& inputs, Diagnostics& diagnostics);

// The names of a search's fields, `a, b, c`.
std::string field_names(const Search& search, const workloads::RuleSet& rules);

}  // namespace nplab::mappings::many_field
