// An entry of the match unit's tables: a rule with its state, as large as a burst of DRAM and a
// line of the unit's cache (64 bytes, printed). An entry of zeros is an empty place.
#pragma once

#include <array>
#include <cstdint>

namespace nplab::isa::match {

// The fields of a packet that are matched, packed into words in any fixed order. The five-tuple
// takes four words, so input port and VLAN fit, too.
inline constexpr unsigned kKeyWords = 6;
using Key = std::array<std::uint32_t, kKeyWords>;

constexpr Key masked(const Key& key, const Key& mask) {
  Key result{};
  for (unsigned word = 0; word < kKeyWords; ++word)
    result[word] = key[word] & mask[word];
  return result;
}

// A place for an entry, counted in entries from the tables' begin.
using Slot = std::uint32_t;

// The mask under which a rule looks at packets, by number; part of what is hashed, so that the
// rules of all tuples share the places.
using TupleId = std::uint16_t;
inline constexpr TupleId kNoTuple = 0;

struct Entry {
  Key key{};                     // under the tuple's mask
  TupleId tuple = kNoTuple;      // none: no rule is here
  std::uint16_t next_table = 0;  // where the lookup goes on after a match, plus 1; 0: it ends
  std::uint32_t link = 0;        // the next entry of the chain; 0: none
  std::uint32_t action = 0;
  std::uint32_t priority = 0;  // of several matches of a table the highest counts
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t last_seen = 0;  // cycle in which the latest of the packets arrived

  [[nodiscard]] bool holds(TupleId of, const Key& wanted) const {
    return tuple == of && key == wanted;
  }
  friend bool operator==(const Entry&, const Entry&) = default;
};
inline constexpr unsigned kEntryBytes = 64;
static_assert(sizeof(Entry) == kEntryBytes, "an entry is a burst of DRAM");

// CRC-32 (IEEE 802.3) of the tuple's number and the key, words least significant byte first.
std::uint32_t hash_of(TupleId tuple, const Key& key);

// The place of a rule among 2^n.
constexpr Slot home_slot(std::uint32_t hash, std::uint64_t slots) {
  return static_cast<Slot>(hash & (slots - 1));
}

}  // namespace nplab::isa::match
