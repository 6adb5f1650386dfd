#include "simulator/fbi/transmit_machine.h"

#include <cassert>

namespace nplab::simulator {

std::optional<std::string> TransmitMachine::validate(unsigned element, Cycle at) {
  const std::string name = "element " + std::to_string(element) + " of the transmit FIFO";
  if (element >= parameters_.fifo_elements)
    return name + " does not exist";
  if (fifo_.is_valid(element))
    return name + " is validated again before it has been sent";
  const TransmitControl control = TransmitControl::decode(fifo_.control_longword(element));
  if (!control.skip) {
    if (control.port >= media_->ports()) {
      return name + " is for port " + std::to_string(control.port) + ", which does not exist";
    }
    if (control.valid_bytes == 0 || control.valid_bytes > kMpacketBytes) {
      return name + " has " + std::to_string(control.valid_bytes) + " valid bytes, not 1 to 64";
    }
  }
  fifo_.validate(element);
  if (element == pointer())
    look_at_next(at);
  return std::nullopt;
}

// Only this machine fills the port's buffer, so it is known at once when there will be room.
void TransmitMachine::look_at_next(Cycle at) {
  wants_bus_ = Cycle::never();
  while (fifo_.is_valid(pointer())) {
    const TransmitControl& control = fifo_.validated(pointer());
    if (!control.skip) {
      wants_bus_ = media_->transmit(control.port).room_cycle(control.valid_bytes, at);
      return;
    }
    fifo_.clear(pointer());
    ++walked_;
  }
}

IxCycles TransmitMachine::start(Cycle at) {
  assert(!started_ && wants_bus_ <= at && "the bus is given to who wants it");
  started_ = at;
  wants_bus_ = Cycle::never();
  control_ = fifo_.validated(pointer());
  fifo_.copy_bytes(pointer(), std::span(bytes_).first(control_.valid_bytes));
  return parameters_.ix_transmit_overhead +
         (control_.valid_bytes + parameters_.ix_bytes_per_cycle - 1) /
             parameters_.ix_bytes_per_cycle;
}

bool TransmitMachine::complete(Cycle at) {
  const OutgoingMpacket outgoing{control_.valid_bytes, control_.start_of_packet,
                                 control_.end_of_packet};
  media_->transmit(control_.port).put(outgoing, at);
  const FrameTracker::Outgoing mpacket{
      std::span<const std::uint8_t>(bytes_).first(control_.valid_bytes), control_.start_of_packet,
      control_.end_of_packet};
  tracker_.send(fifo_.frame(pointer()), control_.port, mpacket, *started_, at);
  started_.reset();
  fifo_.clear(pointer());
  ++walked_;
  look_at_next(at);
  return control_.end_of_packet;
}

void TransmitMachine::hash(StateHash& hash) const {
  hash.add(walked_);
  hash.add(wants_bus_);
  hash.add(started_.value_or(Cycle::never()));
  for (unsigned element = 0; element < kMostFifoElements; ++element) {
    hash.add(fifo_.control_longword(element));
    hash.add(fifo_.is_valid(element));
  }
}

}  // namespace nplab::simulator
