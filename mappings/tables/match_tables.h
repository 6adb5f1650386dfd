// A rule set as the tables of a match unit: tuple space search, every rule in the tuple of its
// prefixes. The unit compares keys under masks, so a range that is no prefix becomes several
// entries, one for each prefix of the fewest that it is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/match/lookup_program.h"
#include "isa/match/mailbox.h"
#include "support/diagnostics.h"
#include "workloads/packets/key_layout.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings {

// The fields of keys, one after the other in the words of a match unit's key.
class MatchKeyPacking {
 public:
  // Requires that the fields fit, together at most 32 * isa::match::kKeyWords bits.
  explicit MatchKeyPacking(const std::vector<workloads::FieldDefinition>& fields);
  static bool fits(const std::vector<workloads::FieldDefinition>& fields);

  [[nodiscard]] isa::match::Key pack(const workloads::Key& values) const;
  [[nodiscard]] const std::vector<isa::match::KeyPart>& parts() const { return parts_; }

 private:
  std::vector<isa::match::KeyPart> parts_;
};

// What becomes of a rule that has an entry with the tuple and the key of a better rule's: such an
// entry never matches. Real rule sets have such rules. The default first.
enum class SameKey : std::uint8_t { kHide, kRefuse };
std::vector<std::string> choice_words(SameKey same_key);

struct MatchTables {
  isa::match::LookupProgram program;       // one table
  std::vector<isa::match::Entry> entries;  // the best rules first; the action is the rule's index
  std::vector<isa::match::Entry> hidden;   // left out: a better rule has the same tuple and key
};

// Prefixes that make the range, the fewest there are, by ascending addresses: value and length.
struct RangePrefix {
  std::uint64_t value = 0;
  unsigned length = 0;
};
std::vector<RangePrefix> prefixes_of(const workloads::Range& range, unsigned bits);

// Null, and a diagnostic at the rules, when the fields do not fit in a key, the rules take more
// than `most_entries` entries, or two have the same key and that is refused.
std::optional<MatchTables> match_tables_of(const workloads::RuleSet& rules,
                                           std::size_t most_entries, SameKey same_key,
                                           Diagnostics& diagnostics);

}  // namespace nplab::mappings
