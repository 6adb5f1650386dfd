// The packet that took longest from its receipt to being sent.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "simulator/fbi/frame_tracker.h"

namespace nplab::experiments {

// Hears what becomes of packets and passes it on.
class SlowestPacket final : public simulator::VerdictSink {
 public:
  struct Stay {
    std::uint64_t packet = 0;  // as offered, from 0
    simulator::Cycle received;
    simulator::Cycle sent;
    [[nodiscard]] simulator::Cycles latency() const { return sent - received; }
  };

  // Of the packets that are sent before `end`.
  SlowestPacket(simulator::VerdictSink& checks, simulator::Cycle end)
      : checks_(checks), end_(end) {}

  void received(const workloads::OfferedPacket& packet, unsigned port,
                simulator::Cycle at) override;
  void verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
               simulator::Cycle at) override;
  void dropped(const workloads::OfferedPacket& packet, simulator::DropReason reason,
               simulator::Cycle at) override;
  void sent(const workloads::OfferedPacket& packet, unsigned port, simulator::Cycle at) override;

  // Of several, the first sent; nothing when none was.
  [[nodiscard]] const std::optional<Stay>& slowest() const { return slowest_; }

 private:
  simulator::VerdictSink& checks_;
  simulator::Cycle end_;
  std::unordered_map<std::uint64_t, simulator::Cycle> received_;  // of packets in flight, by number
  std::optional<Stay> slowest_;
};

}  // namespace nplab::experiments
