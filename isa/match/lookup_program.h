// How the match unit looks a packet up: which tuples a table is searched by, and where it goes on.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/match/entry.h"

namespace nplab::isa::match {

struct Tuple {
  Key mask{};
  std::uint32_t best_priority = 0;  // no rule of the tuple has a higher one
};

// Tuples by number, the one with the highest priority first: the search ends at the first that
// cannot win.
struct Table {
  std::vector<TupleId> tuples;
  std::uint16_t on_miss = 0;  // where a lookup that finds nothing goes on, plus 1; 0: it ends
};

// Lookups begin at table 0 and go on only to tables of higher numbers, so that they end.
struct LookupProgram {
  std::vector<Tuple> tuples;  // the tuple with number n is the n-1-st
  std::vector<Table> tables;

  [[nodiscard]] const Tuple& tuple(TupleId id) const { return tuples[id - 1u]; }
};

}  // namespace nplab::isa::match
