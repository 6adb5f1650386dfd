// The match unit beside engines: the mailboxes that threads write their keys to and read answers
// from, and what the unit is loaded with. mappings/match-unit/layout.h says the same to engine C.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/match/entry.h"
#include "isa/match/lookup_program.h"

namespace nplab::isa::match {

// A thread writes one longword for each field, in one burst, to its mailbox's beginning, and reads
// the answer's longword, which comes when the lookup has ended.
inline constexpr unsigned kMailboxes = 512;  // threads of the largest chip
inline constexpr unsigned kMailboxBytes = 32;
inline constexpr unsigned kMailboxAnswer = 28;  // offset in bytes
inline constexpr unsigned kMailboxRange = kMailboxes * kMailboxBytes;
inline constexpr std::uint32_t kNoRule = 0xffffffff;

// Where a field is in a key.
struct KeyPart {
  unsigned begin = 0;  // bit of the key
  unsigned bits = 0;
};
// `fields` as many as parts.
Key pack(std::span<const std::uint64_t> fields, std::span<const KeyPart> parts);

struct UnitTables {
  LookupProgram program;
  std::vector<Entry> entries;  // the best rules first; the action is the rule's index
  std::vector<KeyPart> key;
};

}  // namespace nplab::isa::match
