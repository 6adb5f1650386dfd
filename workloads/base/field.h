// Header fields as rules name them: how wide a field is, how rules match it and where it lies in a
// frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nplab::workloads {

enum class MatchKind { kExact, kPrefix, kRange };

// A bit string in the Ethernet frame, most significant bit first: it starts `bit` (0..7, 0 the most
// significant) bits into byte `byte` (0 the first byte of the destination address).
struct FramePosition {
  unsigned byte = 0;
  unsigned bit = 0;
  friend bool operator==(const FramePosition&, const FramePosition&) = default;
};

// Bytes that every frame has: the shortest frame, 64 bytes, without its frame check sequence.
inline constexpr unsigned kBytesOfEveryFrame = 60;

struct FieldDefinition {
  std::string name;
  unsigned bits = 0;  // 1..64
  MatchKind match = MatchKind::kRange;
  std::optional<FramePosition> position;  // when the rule set says where the field lies
};

// Both ends belong to the range; low <= high.
struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  [[nodiscard]] bool contains(std::uint64_t value) const { return low <= value && value <= high; }
  friend bool operator==(const Range&, const Range&) = default;
};

// The largest value of a field of `bits` (1..64) bits.
constexpr std::uint64_t max_value(unsigned bits) {
  return ~std::uint64_t{0} >> (64 - bits);
}

// Every value of the field.
inline Range any_value(const FieldDefinition& field) {
  return {0, max_value(field.bits)};
}

// The prefix that the range is, as its length in bits (0: any value), or nothing when it is no
// prefix.
std::optional<unsigned> prefix_length(const Range& range, unsigned bits);

// The bits of all fields together.
unsigned bits_together(std::span<const FieldDefinition> fields);

// source_address, destination_address, source_port, destination_port, protocol: the fields of
// ClassBench rules.
const std::vector<FieldDefinition>& five_tuple_fields();

}  // namespace nplab::workloads
