// What must hold: nothing is lost, taken twice or taken before it is complete, no entry is
// overwritten before it was read, and each producer's items come in the order in which they were
// put. The order of taking is that of the entries' counts.
#pragma once

#include <cstdint>

#include "ring_state.h"

namespace nplab::ring_model {

enum class Property : std::uint8_t {
  kNone,
  kOverwritten,   // an entry was written that had not been read
  kTakenTwice,    // an item, or an entry
  kOutOfOrder,    // an item came although one that was put before it had not: overtaken or lost
  kIncomplete,    // an entry was taken that was not written completely
  kNothingThere,  // an entry was taken that had never been written
};
const char* text_of(Property property);

// What a consumer has read as the entry at `index` (from the ring's first). Its place in memory is
// free to be written from now on. An entry is complete if its rest is of the same item.
Property take(Ledger& ledger, Memory& memory, std::uint32_t index, const Entry& read,
              std::uint32_t slot);

// Writing an item over another one.
inline Property overwrite(Item old) {
  return is_unread(old) ? Property::kOverwritten : Property::kNone;
}

}  // namespace nplab::ring_model
