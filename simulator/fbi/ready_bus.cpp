#include "simulator/fbi/ready_bus.h"

namespace nplab::simulator {

void ReadyBus::catch_up(Cycle at) {
  const std::uint64_t point = at.number() / period_;
  if (point < next_point_)
    return;
  next_point_ = point + 1;
  const Cycle sampled(point * period_);
  receive_ready_ = transmit_ready_ = 0;
  for (unsigned port = 0; port < media_->ports(); ++port) {
    ReceivePort& in = media_->receive(port);
    in.advance(sampled);
    const bool has_mpacket = in.ready_cycle(receive_.claims(port)) <= sampled;
    const unsigned room = std::min(kMpacketBytes, media_->parameters().transmit_buffer);
    const bool has_room = media_->transmit(port).room(sampled) >= room;
    receive_ready_ |= std::uint32_t{has_mpacket} << port;
    transmit_ready_ |= std::uint32_t{has_room} << port;
  }
}

}  // namespace nplab::simulator
