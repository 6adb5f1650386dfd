// Captures of what each port received and sent (--pcap-out), stamped from the cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/fbi/frame_tracker.h"
#include "support/diagnostics.h"
#include "workloads/traffic/pcap_writer.h"

namespace nplab::experiments {

class Captures final : public simulator::FrameObserver {
 public:
  // `core_hz` is the clock that cycles count, in hertz.
  Captures(std::string folder, unsigned ports, std::uint64_t core_hz);

  void received(unsigned port, simulator::Cycle at, std::span<const std::uint8_t> frame) override;
  void sent(unsigned port, simulator::Cycle at, std::span<const std::uint8_t> frame) override;

  // Writes `portN-rx.pcap` and `portN-tx.pcap` for every port that saw a frame, each whole or not
  // at all.
  void commit(Diagnostics& diagnostics);

 private:
  struct Direction {
    std::unique_ptr<workloads::PcapWriter> writer;
  };
  void add(std::vector<Direction>& directions, const char* suffix, unsigned port,
           simulator::Cycle at, std::span<const std::uint8_t> frame);

  std::string folder_;
  std::uint64_t core_hz_;
  std::vector<Direction> received_;
  std::vector<Direction> sent_;
};

}  // namespace nplab::experiments
