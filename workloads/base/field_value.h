// The notation of one field in a rule: `7`, `0x1f`, `10.0.0.1`, `10-11`, `10.0.0.0/8`, `*`.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "workloads/base/field.h"

namespace nplab::workloads {

struct FieldValueError {
  std::size_t offset = 0;  // into the text, in characters
  std::string message;
};

// Numbers are decimal, hexadecimal after 0x, or dotted quads. Bits of a prefix after its length
// do not count. Refuses what the field's width or match kind does not allow.
std::variant<Range, FieldValueError> parse_field_value(std::string_view text,
                                                       const FieldDefinition& field);

struct ScannedNumber {
  std::uint64_t value = 0;
  std::size_t length = 0;  // characters taken; 0: there is no number here, or none of 64 bits
};

// The number that `text` begins with (decimal, 0x hexadecimal or dotted quad).
ScannedNumber scan_number(std::string_view text);

}  // namespace nplab::workloads
