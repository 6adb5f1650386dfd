// Traffic for tests of the media device and the FBI: frames with chosen sizes, ports and gaps, each
// with bytes of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/traffic/packet_source.h"

namespace nplab::simulator::test {

// A core clock at which a byte of a 100 Mb/s wire takes 8 cycles.
inline constexpr std::uint64_t kEightCyclesPerByte = 100'000'000;
inline constexpr std::uint64_t kLineRate = 100'000'000;  // bits a second

struct TestFrame {
  unsigned port = 0;
  std::size_t bytes = 64;
  std::uint64_t extra_gap = 0;
};

inline workloads::Traffic make_traffic(const std::vector<TestFrame>& frames) {
  std::vector<workloads::Packet> packets;
  for (const TestFrame& frame : frames) {
    workloads::Packet packet;
    packet.frame.resize(frame.bytes);
    for (std::size_t i = 0; i < frame.bytes; ++i) {
      packet.frame[i] = static_cast<std::uint8_t>(i * 7 + packets.size() * 31 + 1);
    }
    packet.arrival_port = workloads::PortId(frame.port);
    packet.extra_gap_bytes = frame.extra_gap;
    packets.push_back(std::move(packet));
  }
  return workloads::Traffic(workloads::TrafficKind::kGenerated, "test", "", std::move(packets));
}

// Traffic and its source in one. Plays `repetitions` times.
struct TestSource {
  explicit TestSource(const std::vector<TestFrame>& frames, std::uint64_t repetitions = 1)
      : traffic(make_traffic(frames.empty() ? std::vector<TestFrame>(1) : frames)),
        source(traffic, {workloads::PortId(0)}, frames.size() * repetitions) {}

  workloads::Traffic traffic;
  workloads::TrafficSource source;
};

}  // namespace nplab::simulator::test
