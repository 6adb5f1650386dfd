// One entry of a Cisco access list: what stands after `permit` or `deny`.
#pragma once

#include <span>

#include "workloads/base/text_lines.h"
#include "workloads/rules/formats/chain_listing.h"

namespace nplab::workloads {

struct AccessListStyle {
  enum class Kind { kStandard, kExtended };  // a standard entry names a source alone
  enum class Mask { kWildcard, kNetmask };   // IOS: bits that do not count; ASA: bits that do
  Kind kind = Kind::kExtended;
  Mask mask = Mask::kWildcard;
};

// Reads `permit|deny ...` (words[0] is the action). What is not written right is an error; what no
// 5-tuple can say, and names of objects, make the entry unsupported. An inactive entry matches
// nothing.
ChainStatement read_access_list_entry(int line, std::span<const Word> words, AccessListStyle style,
                                      FileErrors& errors);

}  // namespace nplab::workloads
