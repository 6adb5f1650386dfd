// The match unit beside engines: the mailboxes that threads write their keys to and read answers
// from, the port by which the core processor changes rules, and what the unit is loaded with.
// mappings/match-unit/layout.h says the same to engine C.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/match/entry.h"
#include "isa/match/lookup_program.h"

namespace nplab::isa::match {

// A thread writes one longword for each field and one more with the packet's length in bytes, in
// one burst, to its mailbox's beginning, and reads the answer's longword, which comes when the
// lookup has ended.
inline constexpr unsigned kMailboxes = 512;  // threads of the largest chip
inline constexpr unsigned kMailboxBytes = 32;
inline constexpr unsigned kMailboxAnswer = 28;  // offset in bytes
inline constexpr std::uint32_t kNoRule = 0xffffffff;

// The service port follows the mailboxes: a burst with a rule's key, action and priority, then a
// command, which posts the request; the outcome's longword comes when the request has ended. From
// then on the state that the rule of a counter read has, or that a replaced or deleted one had, can
// be read in one burst: packets, bytes, and the unit's cycle of the latest, high longwords first.
inline constexpr unsigned kService = kMailboxes * kMailboxBytes;
inline constexpr unsigned kServiceBytes = 64;
inline constexpr unsigned kServiceRule = 0;  // offsets in bytes
inline constexpr unsigned kServiceCommand = 32;
inline constexpr unsigned kServiceState = 36;
inline constexpr unsigned kServiceStateWords = 6;
inline constexpr unsigned kServiceOutcome = 60;
enum class ServiceCommand : std::uint16_t { kInsert = 1, kReplace, kErase, kRead };
constexpr std::uint32_t command_word(ServiceCommand command, TupleId tuple) {
  return std::uint32_t{static_cast<std::uint16_t>(command)} << 16 | tuple;
}
inline constexpr std::uint32_t kServiceDone = 1;
inline constexpr std::uint32_t kServiceRefused = 0;

inline constexpr unsigned kMailboxRange = kService + kServiceBytes;

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
  // Where rules come and go: one entry for each tuple and key of all rules that are ever in force,
  // which must have places together.
  std::vector<Entry> later{};
};

}  // namespace nplab::isa::match
