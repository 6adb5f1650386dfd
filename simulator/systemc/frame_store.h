// The frames that came in through sockets, from their arrival until the chip is done with them.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "simulator/fbi/frame_tracker.h"

namespace nplab::systemc {

class FrameStore {
 public:
  explicit FrameStore(unsigned ports) : arriving_(ports), arrived_(ports, 0) {}

  // A frame on its way to `port`; its bytes stay where they are until it is released.
  workloads::OfferedPacket add(unsigned port, std::vector<std::uint8_t> bytes) {
    const std::uint64_t sequence = kFirstSequence + arrived_[port]++ * arriving_.size() + port;
    arriving_[port].push_back(sequence);
    Frame& frame = frames_[sequence];
    frame.bytes = std::move(bytes);
    workloads::OfferedPacket packet;
    packet.sequence = sequence;
    packet.frame = frame.bytes;
    return packet;
  }

  // All of the frame is in the chip. Those before it on its port found no room.
  void received(const workloads::OfferedPacket& packet, unsigned port) {
    if (packet.sequence < kFirstSequence)
      return;
    std::deque<std::uint64_t>& queue = arriving_[port];
    for (; !queue.empty() && queue.front() != packet.sequence; queue.pop_front())
      frames_.erase(queue.front());
    if (!queue.empty())
      queue.pop_front();
    end(packet.sequence, &Frame::is_received);
  }
  // It was sent or dropped; a dropped frame may still be arriving.
  void finished(const workloads::OfferedPacket& packet) {
    if (packet.sequence >= kFirstSequence)
      end(packet.sequence, &Frame::is_finished);
  }
  [[nodiscard]] std::size_t size() const { return frames_.size(); }

 private:
  struct Frame {
    std::vector<std::uint8_t> bytes;
    bool is_received = false;
    bool is_finished = false;
  };
  // Packets of a workload's traffic, on other ports, are numbered from 0.
  static constexpr std::uint64_t kFirstSequence = std::uint64_t{1} << 40;

  void end(std::uint64_t sequence, bool Frame::* part) {
    const auto frame = frames_.find(sequence);
    if (frame == frames_.end())
      return;
    frame->second.*part = true;
    if (frame->second.is_received && frame->second.is_finished)
      frames_.erase(frame);
  }

  std::unordered_map<std::uint64_t, Frame> frames_;  // by sequence
  std::vector<std::deque<std::uint64_t>> arriving_;  // by port: not received yet
  std::vector<std::uint64_t> arrived_;               // by port: numbers given
};

}  // namespace nplab::systemc
