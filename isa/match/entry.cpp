#include "isa/match/entry.h"

#include <zlib.h>

namespace nplab::isa::match {

std::uint32_t hash_of(TupleId tuple, const Key& key) {
  std::array<std::uint8_t, sizeof(TupleId) + 4 * kKeyWords> bytes{};
  auto at = bytes.begin();
  *at++ = static_cast<std::uint8_t>(tuple);
  *at++ = static_cast<std::uint8_t>(tuple >> 8);
  for (const std::uint32_t word : key)
    for (unsigned shift = 0; shift < 32; shift += 8)
      *at++ = static_cast<std::uint8_t>(word >> shift);
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

}  // namespace nplab::isa::match
