#include "experiments/run/slowest_packet.h"

namespace nplab::experiments {

void SlowestPacket::received(const workloads::OfferedPacket& packet, unsigned port,
                             simulator::Cycle at) {
  if (at < end_)
    received_[packet.sequence] = at;
  checks_.received(packet, port, at);
}

void SlowestPacket::verdict(const workloads::OfferedPacket& packet,
                            std::optional<std::uint32_t> rule, simulator::Cycle at) {
  checks_.verdict(packet, rule, at);
}

void SlowestPacket::dropped(const workloads::OfferedPacket& packet, simulator::DropReason reason,
                            simulator::Cycle at) {
  received_.erase(packet.sequence);
  checks_.dropped(packet, reason, at);
}

void SlowestPacket::sent(const workloads::OfferedPacket& packet, unsigned port,
                         simulator::Cycle at) {
  if (const auto known = received_.find(packet.sequence); known != received_.end()) {
    const Stay stay{packet.sequence, known->second, at};
    if (at < end_ && (!slowest_ || stay.latency() > slowest_->latency()))
      slowest_ = stay;
    received_.erase(known);
  }
  checks_.sent(packet, port, at);
}

}  // namespace nplab::experiments
