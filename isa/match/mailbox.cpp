#include "isa/match/mailbox.h"

#include <algorithm>

namespace nplab::isa::match {

Key pack(std::span<const std::uint64_t> fields, std::span<const KeyPart> parts) {
  Key key{};
  for (std::size_t field = 0; field < parts.size(); ++field) {
    unsigned at = parts[field].begin;
    std::uint64_t rest = fields[field];
    for (unsigned left = parts[field].bits; left != 0;) {
      const unsigned here = std::min(left, 32 - at % 32);
      const std::uint64_t all = (std::uint64_t{1} << here) - 1;
      key[at / 32] |= static_cast<std::uint32_t>(rest & all) << at % 32;
      rest >>= here;
      at += here;
      left -= here;
    }
  }
  return key;
}

}  // namespace nplab::isa::match
