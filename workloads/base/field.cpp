#include "workloads/base/field.h"

#include <bit>

namespace nplab::workloads {

std::optional<unsigned> prefix_length(const Range& range, unsigned bits) {
  const std::uint64_t free_bits = range.low ^ range.high;
  const bool contiguous = (free_bits & (free_bits + 1)) == 0;
  if (!contiguous || (range.low & free_bits) != 0)
    return std::nullopt;
  return bits - static_cast<unsigned>(std::popcount(free_bits));
}

unsigned bits_together(std::span<const FieldDefinition> fields) {
  unsigned bits = 0;
  for (const FieldDefinition& field : fields)
    bits += field.bits;
  return bits;
}

const std::vector<FieldDefinition>& five_tuple_fields() {
  static const std::vector<FieldDefinition> fields = {
      {"source_address", 32, MatchKind::kPrefix, {}},
      {"destination_address", 32, MatchKind::kPrefix, {}},
      {"source_port", 16, MatchKind::kRange, {}},
      {"destination_port", 16, MatchKind::kRange, {}},
      {"protocol", 8, MatchKind::kExact, {}},
  };
  return fields;
}

}  // namespace nplab::workloads
