#include "workloads/packets/frame.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace nplab::workloads {
namespace {

constexpr std::size_t kUdpHeaderBytes = 8;
constexpr std::size_t kSerialBytes = 8;
constexpr std::size_t kDatagramLengthOffset = kEthernetHeaderBytes + 2;  // in the frame
constexpr std::size_t kHeaderChecksumOffset = kEthernetHeaderBytes + 10;

// Locally administered addresses, so that no real device is meant.
constexpr std::array<std::uint8_t, kEthernetTypeOffset> kAddresses = {0x02, 0, 0, 0, 0, 0x02,
                                                                      0x02, 0, 0, 0, 0, 0x01};

// Values of a header field that the key leaves open: documentation addresses (RFC 5737) and UDP's
// discard port, in the order of HeaderField.
constexpr std::array<std::uint64_t, 5> kUsualTuple = {0xC0000201, 0xC6336401, 49152, 9,
                                                      kProtocolUdp};

void store_bits(std::span<std::uint8_t> frame, FramePosition position, unsigned bits,
                std::uint64_t value) {
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned bit = position.byte * 8 + position.bit + i;
    const auto mask = static_cast<std::uint8_t>(0x80 >> bit % 8);
    const bool one = value >> (bits - 1 - i) & 1;
    frame[bit / 8] =
        static_cast<std::uint8_t>(one ? frame[bit / 8] | mask : frame[bit / 8] & ~mask);
  }
}

void store_fixed_fields(std::span<std::uint8_t> frame, const Key& key, const KeyLayout& layout) {
  if (layout.variant != KeyVariant::kFixed)
    return;
  for (std::size_t i = 0; i < key.size(); ++i) {
    store_bits(frame, std::get<FramePosition>(layout.fields[i].source), layout.fields[i].bits,
               key[i]);
  }
}

// RFC 1071 over the header, with the checksum field zero.
void store_ipv4_checksum(std::span<std::uint8_t> ip) {
  store_big_endian(ip, 10, 2, 0);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kIpv4HeaderBytes; i += 2)
    sum += load_big_endian(ip, i, 2);
  while (sum >> 16 != 0)
    sum = (sum & 0xFFFF) + (sum >> 16);
  store_big_endian(ip, 10, 2, ~sum & 0xFFFF);
}

std::array<std::uint64_t, 5> header_values(const Key& key, const KeyLayout& layout) {
  auto tuple = kUsualTuple;
  if (layout.variant == KeyVariant::kFixed)
    return tuple;
  for (std::size_t i = 0; i < key.size(); ++i) {
    tuple[static_cast<std::size_t>(std::get<HeaderField>(layout.fields[i].source))] = key[i];
  }
  return tuple;
}

void store_ipv4_datagram(std::span<std::uint8_t> ip, const std::array<std::uint64_t, 5>& tuple,
                         std::uint64_t serial) {
  const auto [source, destination, source_port, destination_port, protocol] = tuple;
  store_big_endian(ip, 0, 2, 0x4500);
  store_big_endian(ip, 2, 2, ip.size());
  store_big_endian(ip, 4, 2, serial & 0xFFFF);
  store_big_endian(ip, 8, 1, 64);  // time to live, the usual first value
  store_big_endian(ip, 9, 1, protocol);
  store_big_endian(ip, 12, 4, source);
  store_big_endian(ip, 16, 4, destination);
  const auto payload = ip.subspan(kIpv4HeaderBytes);
  store_big_endian(payload, 0, 2, source_port);
  store_big_endian(payload, 2, 2, destination_port);
  if (protocol == kProtocolUdp)
    store_big_endian(payload, 4, 2, payload.size());
  if (protocol == kProtocolTcp && payload.size() >= 20 + kSerialBytes)
    store_big_endian(payload, 12, 2, 0x5010);
  store_big_endian(payload, payload.size() - kSerialBytes, kSerialBytes, serial);
}

}  // namespace

std::uint64_t load_big_endian(std::span<const std::uint8_t> bytes, std::size_t offset,
                              std::size_t count) {
  assert(offset + count <= bytes.size() && count <= 8 && "a load stays inside its bytes");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value = value << 8 | bytes[offset + i];
  return value;
}

void store_big_endian(std::span<std::uint8_t> bytes, std::size_t offset, std::size_t count,
                      std::uint64_t value) {
  assert(offset + count <= bytes.size() && count <= 8 && "a store stays inside its bytes");
  for (std::size_t i = 0; i < count; ++i)
    bytes[offset + i] = static_cast<std::uint8_t>(value >> 8 * (count - 1 - i));
}

std::uint32_t frame_check_sequence(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

void end_datagram_at(std::span<std::uint8_t> frame, std::size_t frame_bytes) {
  const std::uint64_t before = load_big_endian(frame, kDatagramLengthOffset, 2);
  const std::uint64_t after = frame_bytes - kEthernetHeaderBytes;
  store_big_endian(frame, kDatagramLengthOffset, 2, after);
  if (frame.size() < kHeaderChecksumOffset + 2)
    return;
  // RFC 1624: the checksum's complement changes as the sum does.
  std::uint64_t sum =
      (~load_big_endian(frame, kHeaderChecksumOffset, 2) & 0xFFFF) + (~before & 0xFFFF) + after;
  while (sum >> 16 != 0)
    sum = (sum & 0xFFFF) + (sum >> 16);
  store_big_endian(frame, kHeaderChecksumOffset, 2, ~sum & 0xFFFF);
}

void make_later_fragment(Frame& frame) {
  constexpr std::size_t kFragmentOffset = 6;       // of an IPv4 header
  constexpr std::uint64_t kLaterStart = 1480 / 8;  // RFC 791: in units of eight bytes
  frame.resize(frame.size() - kFcsBytes);
  const auto ip = std::span(frame).subspan(kEthernetHeaderBytes);
  store_big_endian(ip, kFragmentOffset, 2, kLaterStart);
  store_ipv4_checksum(ip);
  frame = finish_frame(std::move(frame));
}

Frame finish_frame(std::vector<std::uint8_t> bytes_without_fcs) {
  Frame frame = std::move(bytes_without_fcs);
  frame.resize(std::max(frame.size(), kShortestFrameBytes - kFcsBytes));
  const std::uint32_t fcs = frame_check_sequence(frame);
  for (std::size_t i = 0; i < kFcsBytes; ++i)
    frame.push_back(static_cast<std::uint8_t>(fcs >> 8 * i));
  return frame;
}

Frame build_frame(const Key& key, const KeyLayout& layout, std::size_t frame_bytes,
                  std::uint64_t serial) {
  assert(key.size() == layout.fields.size() && "a key has one value for each field");
  assert(frame_bytes >= kShortestFrameBytes && frame_bytes <= kLongestFrameBytes &&
         "a frame has 64 to 1522 bytes");
  static_assert(kShortestFrameBytes >= kEthernetHeaderBytes + kIpv4HeaderBytes + kUdpHeaderBytes +
                                           kSerialBytes + kFcsBytes);
  Frame frame;
  frame.reserve(frame_bytes);
  frame.resize(frame_bytes - kFcsBytes);
  std::copy(kAddresses.begin(), kAddresses.end(), frame.begin());
  store_big_endian(frame, kEthernetTypeOffset, 2, kEthernetTypeIpv4);
  const auto ip = std::span(frame).subspan(kEthernetHeaderBytes);
  store_ipv4_datagram(ip, header_values(key, layout), serial);
  store_fixed_fields(frame, key, layout);
  store_ipv4_checksum(ip);  // over the header as the fixed fields left it
  store_fixed_fields(frame, key, layout);
  return finish_frame(std::move(frame));
}

}  // namespace nplab::workloads
