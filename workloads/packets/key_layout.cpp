#include "workloads/packets/key_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "workloads/packets/frame.h"

namespace nplab::workloads {
namespace {

constexpr std::array<std::string_view, 3> kVariantNames = {"fixed", "ipv4_5tuple", "ipv4_full"};
constexpr std::array<std::string_view, 3> kL4Names = {"transport", "always", "fragments"};

template <typename Enum, std::size_t kCount>
std::optional<Enum> named(std::string_view name,
                          const std::array<std::string_view, kCount>& names) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    return std::nullopt;
  return static_cast<Enum>(at - names.begin());
}

std::optional<HeaderField> header_field_of(const FieldDefinition& field) {
  const auto& known = five_tuple_fields();
  const auto at = std::find_if(known.begin(), known.end(),
                               [&](const auto& other) { return other.name == field.name; });
  if (at == known.end() || at->bits != field.bits)
    return std::nullopt;
  return static_cast<HeaderField>(at - known.begin());
}

std::uint64_t read_bits(std::span<const std::uint8_t> frame, FramePosition position,
                        unsigned bits) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned bit = position.byte * 8 + position.bit + i;
    value = value << 1 | (frame[bit / 8] >> (7 - bit % 8) & 1);
  }
  return value;
}

// The five header fields of an IPv4 frame, in the order of HeaderField.
using FiveTuple = std::array<std::uint64_t, 5>;

std::optional<FiveTuple> read_five_tuple(std::span<const std::uint8_t> frame,
                                         const KeyLayout& layout, L4Key l4) {
  const std::size_t frame_end = frame.size() - std::min(frame.size(), kFcsBytes);
  if (frame_end < kEthernetHeaderBytes + kIpv4HeaderBytes)
    return std::nullopt;
  if (load_big_endian(frame, kEthernetTypeOffset, 2) != kEthernetTypeIpv4)
    return std::nullopt;
  const auto ip = frame.subspan(kEthernetHeaderBytes);
  const std::size_t header_bytes = std::size_t{4} * (ip[0] & 15);
  if (ip[0] >> 4 != 4 || header_bytes < kIpv4HeaderBytes)
    return std::nullopt;
  if (layout.variant == KeyVariant::kIpv4FiveTuple && header_bytes != kIpv4HeaderBytes)
    return std::nullopt;
  const std::size_t datagram_bytes =
      std::min<std::size_t>(load_big_endian(ip, 2, 2), frame_end - kEthernetHeaderBytes);
  if (datagram_bytes < header_bytes)
    return std::nullopt;

  const std::uint8_t protocol = ip[9];
  FiveTuple tuple = {load_big_endian(ip, 12, 4), load_big_endian(ip, 16, 4), 0, 0, protocol};
  const bool first_fragment = (load_big_endian(ip, 6, 2) & 0x1FFF) == 0;
  const bool has_ports =
      protocol == kProtocolTcp || protocol == kProtocolUdp || protocol == kProtocolSctp;
  if (layout.reads_ports() && l4 == L4Key::kFragments && !first_fragment) {
    tuple[2] = kNoPort;
    tuple[3] = kNoPort;
  } else if (layout.reads_ports() && (l4 == L4Key::kAlways || (has_ports && first_fragment))) {
    if (datagram_bytes < header_bytes + 4)
      return std::nullopt;
    tuple[2] = load_big_endian(ip, header_bytes, 2);
    tuple[3] = load_big_endian(ip, header_bytes + 2, 2);
  }
  return tuple;
}

}  // namespace

std::string_view name_of(KeyVariant variant) {
  return kVariantNames.at(static_cast<std::size_t>(variant));
}
std::string_view name_of(L4Key l4) {
  return kL4Names.at(static_cast<std::size_t>(l4));
}
std::optional<KeyVariant> key_variant_named(std::string_view name) {
  return named<KeyVariant>(name, kVariantNames);
}
std::optional<L4Key> l4_key_named(std::string_view name) {
  return named<L4Key>(name, kL4Names);
}

bool KeyLayout::reads_ports() const {
  return std::any_of(fields.begin(), fields.end(), [](const KeyField& field) {
    const auto* header_field = std::get_if<HeaderField>(&field.source);
    return header_field != nullptr && (*header_field == HeaderField::kSourcePort ||
                                       *header_field == HeaderField::kDestinationPort);
  });
}

bool KeyLayout::is_packed() const {
  unsigned bit = 0;
  for (const KeyField& field : fields) {
    const auto* position = std::get_if<FramePosition>(&field.source);
    if (position == nullptr || position->byte * 8 + position->bit != bit)
      return false;
    bit += field.bits;
  }
  return true;
}

void pack_fields(std::span<FieldDefinition> fields) {
  if (bits_together(fields) > kBytesOfEveryFrame * 8)
    return;
  unsigned bit = 0;
  for (FieldDefinition& field : fields) {
    field.position = {bit / 8, bit % 8};
    bit += field.bits;
  }
}

bool are_header_fields(std::span<const FieldDefinition> fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](auto& field) { return header_field_of(field).has_value(); });
}

bool have_positions(std::span<const FieldDefinition> fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](const auto& field) { return field.position.has_value(); });
}

std::optional<KeyLayout> make_key_layout(KeyVariant variant,
                                         std::span<const FieldDefinition> fields,
                                         const SourceLocation& location, Diagnostics& diagnostics) {
  KeyLayout layout{variant, {}};
  const unsigned bits = bits_together(fields);
  if (variant != KeyVariant::kFixed && !are_header_fields(fields) && !fields.empty() &&
      !have_positions(fields) && bits > kBytesOfEveryFrame * 8) {
    diagnostics.error(location,
                      fmt::format("the {} fields have {} bits together; a key of fields "
                                  "without places takes up to {}: the {} bytes of every "
                                  "frame",
                                  fields.size(), bits, kBytesOfEveryFrame * 8, kBytesOfEveryFrame));
    return std::nullopt;
  }
  for (const FieldDefinition& field : fields) {
    const auto header_field = header_field_of(field);
    if (variant == KeyVariant::kFixed && field.position) {
      layout.fields.push_back({field.name, field.bits, *field.position});
    } else if (variant == KeyVariant::kFixed) {
      diagnostics.error(
          location,
          fmt::format(
              "a fixed key needs the place of field '{}' in the frame; add at: {{byte: B, bit: b}}",
              field.name));
    } else if (header_field) {
      layout.fields.push_back({field.name, field.bits, *header_field});
    } else {
      diagnostics.error(
          location,
          fmt::format("key {2} cannot read field '{0}' of {1} bits; it reads source_address, "
                      "destination_address (32 bits), source_port, destination_port (16), protocol "
                      "(8); a fixed key reads any field with a place, at: {{byte: B, bit: b}}",
                      field.name, field.bits, name_of(variant)));
    }
  }
  if (layout.fields.size() != fields.size())
    return std::nullopt;
  return layout;
}

std::optional<Key> extract(std::span<const std::uint8_t> frame, const KeyLayout& layout, L4Key l4) {
  Key key;
  key.reserve(layout.fields.size());
  if (layout.variant == KeyVariant::kFixed) {
    for (const KeyField& field : layout.fields) {
      const auto position = std::get<FramePosition>(field.source);
      assert((position.byte * 8 + position.bit + field.bits + 7) / 8 <= frame.size() &&
             "the field lies in the frame");
      key.push_back(read_bits(frame, position, field.bits));
    }
    return key;
  }
  const auto tuple = read_five_tuple(frame, layout, l4);
  if (!tuple)
    return std::nullopt;
  for (const KeyField& field : layout.fields) {
    key.push_back((*tuple)[static_cast<std::size_t>(std::get<HeaderField>(field.source))]);
  }
  return key;
}

}  // namespace nplab::workloads
