#include "experiments/prepare/port_rate.h"

namespace nplab::experiments {
namespace {

// Bytes on the wire of the packets that arrive on a port; those without a port arrive on all.
double mean_bytes(const workloads::Workload& workload, workloads::PortId port) {
  double bytes = 0, packets = 0;
  for (const workloads::Packet& packet : workload.traffic.packets()) {
    if (packet.arrival_port && *packet.arrival_port != port)
      continue;
    bytes += static_cast<double>(packet.frame.size() + workload.slot.gap_bytes +
                                 workload.slot.preamble_bytes + packet.extra_gap_bytes);
    ++packets;
  }
  return packets == 0 ? 0 : bytes / packets;
}

}  // namespace

double port_rate(const simulator::ChipDescription& chip, const workloads::Workload& workload) {
  double rate = 0;
  for (const workloads::PortId port : workload.ports_in) {
    const double bytes = mean_bytes(workload, port);
    if (bytes > 0)
      rate += static_cast<double>(chip.media.port_bits_per_second) / (8 * bytes);
  }
  return rate;
}

}  // namespace nplab::experiments
