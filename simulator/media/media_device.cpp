#include "simulator/media/media_device.h"

#include <algorithm>

namespace nplab::simulator {

MediaDevice::MediaDevice(const MediaParameters& parameters, std::uint64_t core_hz,
                         const MediaTraffic& traffic, workloads::PacketSource& source)
    : parameters_(parameters) {
  const WireClock clock(core_hz, parameters.port_bits_per_second);
  receive_.reserve(parameters.ports);
  transmit_.reserve(parameters.ports);
  for (unsigned port = 0; port < parameters.ports; ++port) {
    receive_.emplace_back(workloads::PortId(port), clock, parameters.receive_buffer, traffic.slot,
                          traffic.offering, parameters.traffic_start, source,
                          FrameLengths{parameters.shortest_frame, parameters.longest_frame});
    transmit_.emplace_back(clock, parameters.transmit_buffer, traffic.slot);
  }
}

const ReceivePort& MediaDevice::receive(unsigned port) const {
  if (done_ > Cycle())
    receive_[port].advance(Cycle(done_.number() - 1));
  return receive_[port];
}

ReceivePort::Counters MediaDevice::totals() const {
  ReceivePort::Counters sum;
  for (unsigned port = 0; port < ports(); ++port) {
    const ReceivePort::Counters& counters = receive(port).counters();
    sum.offered += counters.offered;
    sum.missed += counters.missed;
    sum.truncated += counters.truncated;
    sum.illegal += counters.illegal;
  }
  return sum;
}

void MediaDevice::look_for_overflow() const {
  for (unsigned port = 0; port < ports(); ++port) {
    const auto overflow = receive(port).first_overflow();
    if (!overflow)
      continue;
    Fault fault;
    fault.kind = Fault::Kind::kQueueOverrun;
    fault.at = *overflow;
    fault.message = "port " + std::to_string(port) + ": the receive buffer of " +
                    std::to_string(parameters_.receive_buffer) +
                    " bytes has no room for what arrives";
    overflow_monitor_->fault(std::move(fault));
  }
}

bool MediaDevice::exhausted() const {
  for (unsigned port = 0; port < ports(); ++port) {
    if (!receive(port).exhausted())
      return false;
  }
  return true;
}

Cycle MediaDevice::earliest_exhaustion() const {
  Cycle last;
  for (unsigned port = 0; port < ports(); ++port)
    last = std::max(last, receive(port).earliest_exhaustion());
  return last;
}

bool MediaDevice::frames_wait() const {
  for (unsigned port = 0; port < ports(); ++port) {
    if (receive(port).buffered_bytes() > 0)
      return true;
  }
  return false;
}

void MediaDevice::describe_waiting(std::vector<std::string>& lines) const {
  for (unsigned port = 0; port < ports(); ++port) {
    if (const unsigned bytes = receive(port).buffered_bytes(); bytes > 0) {
      lines.push_back("port " + std::to_string(port) + ": " + std::to_string(bytes) +
                      " bytes wait in the receive buffer");
    }
    const unsigned outgoing = parameters_.transmit_buffer - transmit_[port].room(done_);
    if (outgoing > 0) {
      lines.push_back("port " + std::to_string(port) + ": " + std::to_string(outgoing) +
                      " bytes wait in the transmit buffer");
    }
  }
}

void MediaDevice::hash(StateHash& hash) const {
  for (unsigned port = 0; port < ports(); ++port)
    receive(port).hash(hash);
  for (const TransmitPort& port : transmit_)
    port.hash(hash, done_);
}

}  // namespace nplab::simulator
