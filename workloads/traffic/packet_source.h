// Packets as a simulator asks for them: port by port, in order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "workloads/packets/port_id.h"
#include "workloads/traffic/traffic.h"

namespace nplab::workloads {

struct OfferedPacket {
  std::uint64_t sequence = 0;  // of the whole run: unlike every other packet's
  std::span<const std::uint8_t>
      frame;  // with frame check sequence; stays where it is as long as the traffic
  std::uint64_t extra_gap_bytes =
      0;  // silence before it on its port, beyond the slot's gap, in byte times
  std::size_t traffic_index = 0;  // of the packet in the traffic that it repeats
  bool damaged = false;           // its check sequence is wrong: it ends in error
};

class PacketSource {
 public:
  virtual ~PacketSource() = default;

  // The next packet that arrives on `port`; nothing when none is left for it. Ports may be asked in
  // any order: what a port gets does not depend on it.
  virtual std::optional<OfferedPacket> next(PortId port) = 0;
};

// Plays traffic. Packet i arrives on ports[i mod n], unless the traffic gives its packets ports of
// their own; in the n-th repetition of traffic of s packets, packet k of it is packet i = n s + k.
class TrafficSource : public PacketSource {
 public:
  // Keeps a reference: the traffic must outlive the source. Offers packets 0 to limit - 1,
  // repeating the traffic from its start as often as that takes; without a limit, endlessly.
  TrafficSource(const Traffic& traffic, std::vector<PortId> ports,
                std::optional<std::uint64_t> limit);

  std::optional<OfferedPacket> next(PortId port) override;

 private:
  struct Stream {
    std::vector<std::size_t> indices;  // of its packets, when packets have ports of their own
    std::uint64_t first = 0;           // sequence of its first packet, when ports take turns
    std::uint64_t offered = 0;
  };
  [[nodiscard]] std::uint64_t sequence_of_next(const Stream& stream) const;

  const Traffic& traffic_;
  std::optional<std::uint64_t> limit_;
  std::uint64_t turns_;  // ports that take turns; 0: packets have ports of their own
  std::map<PortId, Stream> streams_;
};

}  // namespace nplab::workloads
