// Which vectors of a dimension are stored, and how each interval differs from one of them.
#pragma once

#include <cstdint>
#include <vector>

#include "mappings/bit-vector/p_set.h"

namespace nplab::mappings::incremental_bit_vector {

// An interval as the vector of another one and the rules in which they differ, ascending.
struct Difference {
  std::size_t stored = 0;  // the interval whose vector is stored
  std::vector<std::uint32_t> rules;
};

// Of each interval, at most `most` rules. A stored vector serves intervals below it as well as
// intervals above it.
std::vector<Difference> differences(const std::vector<bit_vector::Interval>& intervals,
                                    std::size_t most);

}  // namespace nplab::mappings::incremental_bit_vector
