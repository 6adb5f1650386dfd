// Cuckoo hash tables with two functions, a half of the slots each (Pagh and Rodler, "Cuckoo
// hashing", 2004), as layout.h has them: the two functions are parts of one hash of the chip's hash
// unit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mappings/tables/table_builder.h"
#include "vector_store.h"

namespace nplab::mappings::many_field {

struct CuckooEntry {
  std::uint64_t value = 0;
  VectorNumber vector = 0;  // not 0
};

// The table of one field.
struct CuckooTable {
  unsigned bits = 0;         // of a value
  VectorNumber others = 0;   // of values that have no entry
  std::size_t half = 0;      // slots of each half: a power of two
  std::uint64_t absent = 0;  // in empty slots: a value without an entry, or that no packet has
  std::vector<CuckooEntry> slots;  // of both; vector 0: empty
};

// Where a value may lie: slots of the first half and of the second.
std::pair<std::size_t, std::size_t> slots_of(std::uint64_t value, const CuckooTable& table);

// Each half has as many slots as there are entries, or more, until every entry has a place. Nothing
// when even halves of kMostSlots are too small.
inline constexpr std::size_t kMostSlots = std::size_t{1} << 20;
std::optional<CuckooTable> make_cuckoo_table(unsigned bits, const std::vector<CuckooEntry>& entries,
                                             VectorNumber others);

}  // namespace nplab::mappings::many_field
