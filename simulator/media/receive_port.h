// The receiving side of a media port: the wire and its buffer.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "simulator/base/state_hash.h"
#include "simulator/media/mpacket.h"
#include "simulator/media/wire_clock.h"
#include "workloads/traffic/arrival.h"

namespace nplab::simulator {

// What the wire does when the buffer is full.
enum class Offering {
  kWire,      // it continues: frames are lost
  kLossless,  // it waits until there is room
};

// Of a legal frame, in bytes.
struct FrameLengths {
  std::uint32_t shortest = 0;
  std::uint32_t longest = std::numeric_limits<std::uint32_t>::max();
};

// Bytes come in at line rate; an mpacket is ready when its last byte has arrived. Its room in the
// buffer is taken when its first byte arrives (the real device takes it byte by byte, up to 63 byte
// times later). With Offering::kWire, a frame whose first mpacket finds no room is missed entirely;
// when a later one finds none, the frame ends, in error, with the mpacket before, and the rest is
// lost. A frame of a length that is not legal ends in error. With Offering::kLossless the wire
// stands still before an mpacket that has no room.
//
// Nothing happens by itself: `advance` catches up with the wire, and because only `release` gives
// room back, when it is called does not change what comes about.
class ReceivePort {
 public:
  struct Counters {
    std::uint64_t offered = 0;    // frames whose first byte came, whatever became of them
    std::uint64_t missed = 0;     // of these: found no room
    std::uint64_t truncated = 0;  // of these: ended in error, for want of room
    std::uint64_t illegal = 0;    // of these: ended in error, for their length
  };

  // `buffer_bytes` holds at least two mpackets. Traffic starts on the wire at `start`.
  ReceivePort(workloads::PortId port, const WireClock& clock, std::uint32_t buffer_bytes,
              workloads::Slot slot, Offering offering, Cycle start, workloads::PacketSource& source,
              const FrameLengths& legal = {});

  // Takes in all that the wire brings up to and including cycle `at`.
  void advance(Cycle at);

  // The cycle in which the `index`-th buffered mpacket (0: the next to leave) is or was ready;
  // never() when it has not begun to arrive.
  [[nodiscard]] Cycle ready_cycle(unsigned index) const;
  // The same for the next to leave, looking ahead on the wire when the buffer is empty; never()
  // when the traffic is over.
  [[nodiscard]] Cycle next_ready_cycle() const;
  // The next to leave; requires that one is buffered.
  [[nodiscard]] const Mpacket& front() const;
  // The front mpacket has left the buffer in cycle `at`, up to which the port has been advanced.
  void release(Cycle at);

  // Nothing buffered and nothing more to come.
  [[nodiscard]] bool exhausted() const { return count_ == 0 && !arriving_; }
  // Before this cycle it is not exhausted, as far as has been caught up with.
  [[nodiscard]] Cycle earliest_exhaustion() const { return arriving_ ? next_start_ : Cycle(); }
  [[nodiscard]] unsigned buffered_bytes() const { return occupied_; }
  [[nodiscard]] const Counters& counters() const { return counters_; }
  // When an mpacket first found no room, so that a frame was missed or truncated; of what has been
  // caught up with.
  [[nodiscard]] std::optional<Cycle> first_overflow() const { return first_overflow_; }
  void hash(StateHash& hash) const;

 private:
  struct Buffered {
    Mpacket mpacket;
    Cycle ready;
  };
  // The frame on the wire, or the next one that will be.
  struct Arriving {
    workloads::OfferedPacket packet;
    std::size_t offset = 0;  // of the mpacket whose first byte comes at `start`
    WireTicks start = 0;
  };

  void begin_next_frame(WireTicks wire_free);
  void take_in();
  void end_frame();
  void lose_mpacket();
  void truncate();
  [[nodiscard]] std::size_t mpacket_bytes() const;
  [[nodiscard]] std::size_t place(unsigned index) const {
    return (first_ + index) & (ring_.size() - 1);
  }

  workloads::PortId port_;
  WireClock clock_;
  std::uint32_t capacity_;
  workloads::Slot slot_;
  Offering offering_;
  workloads::PacketSource& source_;

  std::vector<Buffered> ring_;  // a power of two
  unsigned first_ = 0;
  unsigned count_ = 0;
  unsigned occupied_ = 0;  // bytes
  std::optional<Arriving> arriving_;
  Cycle next_start_ = Cycle::never();  // of the mpacket at arriving_->start
  bool wire_waits_ = false;            // lossless: until the next release
  std::uint64_t taken_in_ = 0;         // frames
  FrameLengths legal_;
  std::optional<Cycle> first_overflow_;
  Counters counters_;
};

}  // namespace nplab::simulator
