#include "workloads/traffic/packet_source.h"

#include <algorithm>
#include <cassert>

namespace nplab::workloads {

TrafficSource::TrafficSource(const Traffic& traffic, std::vector<PortId> ports,
                             std::optional<std::uint64_t> limit)
    : traffic_(traffic), limit_(limit), turns_(ports.size()) {
  assert(!ports.empty() && "traffic arrives on a port");
  const auto has_port = [](const Packet& packet) { return packet.arrival_port.has_value(); };
  const auto any_has_port = [&](const std::vector<Packet>& packets) {
    return std::any_of(packets.begin(), packets.end(), has_port);
  };
  if (traffic.may_name_ports() && any_has_port(traffic.packets())) {
    const auto& packets = traffic.packets();
    assert(std::all_of(packets.begin(), packets.end(), has_port) &&
           "either every packet has a port or none has");
    turns_ = 0;
    for (std::size_t i = 0; i < packets.size(); ++i)
      streams_[*packets[i].arrival_port].indices.push_back(i);
    return;
  }
  for (std::size_t i = 0; i < ports.size(); ++i)
    streams_[ports[i]].first = i;
  assert(streams_.size() == ports.size() && "a port is listed once");
}

std::uint64_t TrafficSource::sequence_of_next(const Stream& stream) const {
  if (turns_ > 0)
    return stream.first + stream.offered * turns_;
  const std::uint64_t repetition = stream.offered / stream.indices.size();
  return repetition * traffic_.size() + stream.indices[stream.offered % stream.indices.size()];
}

std::optional<OfferedPacket> TrafficSource::next(PortId port) {
  const auto at = streams_.find(port);
  if (at == streams_.end())
    return std::nullopt;
  Stream& stream = at->second;
  const std::uint64_t sequence = sequence_of_next(stream);
  if (limit_ && sequence >= *limit_)
    return std::nullopt;
  ++stream.offered;
  const auto index = static_cast<std::size_t>(sequence % traffic_.size());
  const Packet& packet = traffic_.packet(index);
  return OfferedPacket{sequence, packet.frame, packet.extra_gap_bytes, index};
}

}  // namespace nplab::workloads
