// The receiving side of a media port: the wire and its buffer.
#pragma once

#include <cstdint>
#include <deque>
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

  // From now on frames are handed over one by one (`offer`), and the source is not asked. Once,
  // before the first cycle.
  void take_offers();
  // What becomes of a frame on the wire.
  struct OnWire {
    Cycle first_byte;  // comes, at the earliest, if the wire must wait for room
    Cycle free;        // the wire can take the next frame's preamble
    Cycles late = 0;   // the first byte comes so much later than it should, for `not_before`
  };
  // A frame whose preamble begins in cycle `at`, or when the wire has brought those before; its
  // first byte does not come before cycle `not_before`, up to which the port may have been
  // advanced. The frame's bytes stay where they are.
  OnWire offer(const workloads::OfferedPacket& packet, Cycle at, Cycle not_before);
  [[nodiscard]] bool takes_offers() const { return takes_offers_; }

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
  [[nodiscard]] bool exhausted() const { return count_ == 0 && !arriving_ && !takes_offers_; }
  // Before this cycle it is not exhausted, as far as has been caught up with.
  [[nodiscard]] Cycle earliest_exhaustion() const {
    if (takes_offers_)
      return Cycle::never();
    return arriving_ ? next_start_ : Cycle();
  }
  [[nodiscard]] unsigned buffered_bytes() const { return occupied_; }
  [[nodiscard]] const Counters& counters() const { return counters_; }
  // When an mpacket first found no room, so that a frame was missed or truncated; of what has been
  // caught up with.
  [[nodiscard]] std::optional<Cycle> first_overflow() const { return first_overflow_; }
  // A frame that was offered counts from its first byte on: when it was offered changes nothing.
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

  // A frame that was offered and waits for the wire.
  struct Offered {
    workloads::OfferedPacket packet;
    WireTicks first_byte = 0;  // not before
  };

  void begin_next_frame(WireTicks wire_free);
  void begin(const workloads::OfferedPacket& packet, WireTicks start);
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
  bool takes_offers_ = false;
  std::deque<Offered> offered_;
  WireTicks wire_free_ = 0;  // of the frames that were offered and have ended
  WireTicks booked_ = 0;     // the same of all that were offered, if the wire never waits
  std::optional<Cycle> first_overflow_;
  Counters counters_;
};

}  // namespace nplab::simulator
