// Every hardware figure of the media device. The chip file gives the values and says what each
// rests on.
#pragma once

#include <cstdint>
#include <limits>

#include "simulator/base/time.h"

namespace nplab::simulator {

struct MediaParameters {
  unsigned ports = 0;
  std::uint64_t port_bits_per_second = 0;
  std::uint32_t receive_buffer = 0;   // bytes a port; at least two mpackets
  std::uint32_t transmit_buffer = 0;  // bytes a port; at least one mpacket
  Cycle traffic_start;                // first bit on the wire
  // Frames of another length end in error; bytes with the check sequence.
  std::uint32_t shortest_frame = 0;
  std::uint32_t longest_frame = std::numeric_limits<std::uint32_t>::max();
  bool overflow_stops =
      false;  // the run ends when a receive buffer has no room; otherwise it is counted
};

}  // namespace nplab::simulator
