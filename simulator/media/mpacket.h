// A piece of a frame as it crosses the IX bus: up to 64 bytes, with marks for the first and last of
// a frame.
#pragma once

#include <cstdint>
#include <span>

#include "workloads/traffic/packet_source.h"

namespace nplab::simulator {

inline constexpr unsigned kMpacketBytes = 64;

struct Mpacket {
  std::span<const std::uint8_t> bytes;  // within packet.frame
  bool start_of_packet = false;
  bool end_of_packet = false;
  bool error = false;  // with end_of_packet: the rest found no room, no frame has this length, or
                       // it is damaged
  workloads::OfferedPacket packet;  // whose piece it is
  std::uint64_t arrival = 0;        // number of the frame among those taken in on its port
};

}  // namespace nplab::simulator
