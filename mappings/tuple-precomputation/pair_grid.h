// The grid of tuples of two fields, with the pairs of prefixes that the rules have and the markers
// that lead a search to them (Srinivasan, Suri and Varghese, "Packet classification using tuple
// space search", SIGCOMM 1999, rectangle search).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/rules/rule_set.h"

namespace nplab::mappings::tuple_precomputation {

struct Pair {
  std::size_t row = 0;
  std::size_t column = 0;
  std::array<std::uint32_t, 2> key{};  // the fields under the tuple's masks
  std::vector<std::uint32_t> rules;    // ascending; a marker has none
  // Of its rules and those of all pairs that cover it; NO_MATCH if there is none.
  std::uint32_t best = 0;
  // The pair of this column with rules whose prefix of field 0 is the next shorter one of this.
  std::optional<std::size_t> covering;
};

struct PairGrid {
  std::array<unsigned, 2> bits{};  // of the fields
  std::vector<unsigned> rows;      // lengths of field 0's prefixes, descending
  std::vector<unsigned> columns;   // of field 1's, ascending
  std::vector<Pair> pairs;         // by row, by column, then as the rules come

  [[nodiscard]] std::array<std::uint32_t, 2> masks(std::size_t row, std::size_t column) const;
};

// A range that is not a prefix counts as the least prefix around it.
PairGrid make_pair_grid(const workloads::RuleSet& rules);

}  // namespace nplab::mappings::tuple_precomputation
