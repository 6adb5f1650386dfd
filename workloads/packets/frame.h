// Ethernet frames as the wire carries them: lengths, padding, the frame check sequence, and frames
// built around a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/packets/key_layout.h"

namespace nplab::workloads {

// From the destination address to the frame check sequence, which is the last four bytes.
using Frame = std::vector<std::uint8_t>;

// IEEE 802.3: lengths in bytes, frame check sequence included; the longest frame carries a VLAN
// tag.
inline constexpr std::size_t kFcsBytes = 4;
inline constexpr std::size_t kShortestFrameBytes = 64;
inline constexpr std::size_t kLongestFrameBytes = 1522;
inline constexpr std::size_t kEthernetHeaderBytes = 14;
inline constexpr std::size_t kEthernetTypeOffset = 12;
inline constexpr std::uint64_t kEthernetTypeIpv4 = 0x0800;
inline constexpr std::size_t kIpv4HeaderBytes = 20;  // RFC 791, without options
inline constexpr std::uint8_t kProtocolTcp = 6;
inline constexpr std::uint8_t kProtocolUdp = 17;
inline constexpr std::uint8_t kProtocolSctp = 132;

// `count` (at most 8) bytes from `offset`, most significant first.
std::uint64_t load_big_endian(std::span<const std::uint8_t> bytes, std::size_t offset,
                              std::size_t count);
void store_big_endian(std::span<std::uint8_t> bytes, std::size_t offset, std::size_t count,
                      std::uint64_t value);

// The frame check sequence of `bytes`, as its four bytes follow them on the wire (IEEE 802.3
// CRC-32, least significant byte first).
std::uint32_t frame_check_sequence(std::span<const std::uint8_t> bytes);

// Pads with zeros to 60 bytes and appends the frame check sequence.
Frame finish_frame(std::vector<std::uint8_t> bytes_without_fcs);

// Makes an IPv4 frame's datagram end `frame_bytes` into the frame (at least 18): its length says
// so, and its checksum follows where it lies in the frame. `frame` has no check sequence yet.
void end_datagram_at(std::span<std::uint8_t> frame, std::size_t frame_bytes);

// Turns a frame of build_frame, whose layout is of an IPv4 variant, into a later fragment: one that
// begins 1480 bytes into its datagram and is its last.
void make_later_fragment(Frame& frame);

// A plausible IPv4 frame of `frame_bytes` (64 to 1522) whose key under `layout` is `key` (under
// L4Key::kAlways: the first four bytes after the IP header carry the ports whatever the protocol).
// Header fields that the key leaves open are those of a UDP datagram; the last eight bytes of the
// payload are `serial`, which makes each frame unlike the others. The bits of a fixed layout go in
// last, so they hold even where they overlap the serial number or a checksum.
Frame build_frame(const Key& key, const KeyLayout& layout, std::size_t frame_bytes,
                  std::uint64_t serial);

}  // namespace nplab::workloads
