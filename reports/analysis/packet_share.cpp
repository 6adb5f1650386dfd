#include "reports/analysis/packet_share.h"

namespace nplab::reports {

PacketShare packet_share(const RunRecord& before, const RunRecord& after) {
  const auto both = [&](auto count, const char* name) {
    return PacketShare{name, static_cast<double>(count(before)), static_cast<double>(count(after))};
  };
  PacketShare sent = both([](const RunRecord& r) { return r.packets.sent; }, "packet sent");
  if (sent.before > 0 && sent.after > 0)
    return sent;
  PacketShare received =
      both([](const RunRecord& r) { return r.packets.received; }, "packet received");
  if (received.before > 0 && received.after > 0)
    return received;
  PacketShare cycles = both([](const RunRecord& r) { return r.cycles.core; }, "thousand cycles");
  cycles.before /= 1000;
  cycles.after /= 1000;
  return cycles;
}

}  // namespace nplab::reports
