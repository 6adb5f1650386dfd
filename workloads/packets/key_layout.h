// How a classification key is read out of a frame. The host's reading (`extract`) is the reference
// that the engines' key loading is judged by; the two share the layout, not code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/diagnostics.h"
#include "workloads/base/field.h"

namespace nplab::workloads {

// One value a field, in the order of the rule set's fields.
using Key = std::vector<std::uint64_t>;

enum class KeyVariant {
  kFixed,          // bits at fixed places of the frame, whatever it holds
  kIpv4FiveTuple,  // IPv4 without options
  kIpv4Full,       // IPv4 with or without options
};

// Which packets have ports.
enum class L4Key {
  kTransport,  // TCP, UDP and SCTP, in first fragments; elsewhere both ports are 0
  kAlways,     // every packet: the first four bytes after the IP header
  kFragments,  // as kTransport, but both ports of a later fragment are kNoPort (fragment_rules.h)
};

// The port of a packet that has none, one more than any port: it is in a field of kMarkedPortBits.
inline constexpr std::uint64_t kNoPort = 0x10000;
inline constexpr unsigned kMarkedPortBits = 17;

enum class HeaderField {
  kSourceAddress,
  kDestinationAddress,
  kSourcePort,
  kDestinationPort,
  kProtocol
};

struct KeyField {
  std::string name;
  unsigned bits = 0;
  std::variant<FramePosition, HeaderField>
      source;  // a position when the layout is fixed, else a header field
};

struct KeyLayout {
  KeyVariant variant = KeyVariant::kFixed;
  std::vector<KeyField> fields;  // in the order of the rule set's fields

  [[nodiscard]] bool reads_ports() const;
  // Do the fields follow one another without a gap from the frame's first bit, as pack_fields
  // places them? Such frames stand for keys of fields that are not those of one packet format.
  [[nodiscard]] bool is_packed() const;
};

// `fixed`, `ipv4_5tuple`, `ipv4_full`; `transport`, `always`, `fragments`.
std::string_view name_of(KeyVariant variant);
std::string_view name_of(L4Key l4);
std::optional<KeyVariant> key_variant_named(std::string_view name);
std::optional<L4Key> l4_key_named(std::string_view name);

// The layout that reads `fields`. `fixed` needs a position for every field; the IPv4 variants need
// fields named as in the 5-tuple (any of them, in any order) and as wide. What does not fit is
// reported at `location`.
std::optional<KeyLayout> make_key_layout(KeyVariant variant,
                                         std::span<const FieldDefinition> fields,
                                         const SourceLocation& location, Diagnostics& diagnostics);

// Places the fields one after the other from the frame's first bit, if a frame has room for them.
void pack_fields(std::span<FieldDefinition> fields);

// Can the IPv4 variants read these fields? Can `fixed`?
bool are_header_fields(std::span<const FieldDefinition> fields);
bool have_positions(std::span<const FieldDefinition> fields);

// The key of a frame (Ethernet, frame check sequence included), or nothing when the frame matches
// no rule whatever the rules: for the IPv4 variants, when it is not IPv4 (Ethernet type, version,
// header length), has options that the variant does not read, or the datagram (by its total length
// or by the frame's end) stops before the end of the header or of the ports that the key needs. A
// `fixed` layout reads any frame.
std::optional<Key> extract(std::span<const std::uint8_t> frame, const KeyLayout& layout, L4Key l4);

}  // namespace nplab::workloads
