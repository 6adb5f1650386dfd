// The sending side of a media port: the buffer and its wire.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/base/state_hash.h"
#include "simulator/media/wire_clock.h"
#include "workloads/traffic/arrival.h"

namespace nplab::simulator {

// A piece of a frame on its way to the wire.
struct OutgoingMpacket {
  unsigned bytes = 0;
  bool start_of_packet = false;
  bool end_of_packet = false;
};

// The buffer empties at line rate, with preamble and gap around each frame. Sending starts as soon
// as a frame's first mpacket is there; when a later one is not there in time the wire waits for it
// (a real device would send a broken frame), which is counted. An mpacket's room is free when its
// last byte has left. All times are known when an mpacket is put in, so nothing happens between
// calls.
class TransmitPort {
 public:
  TransmitPort(const WireClock& clock, std::uint32_t buffer_bytes, workloads::Slot slot);

  // Room in bytes in cycle `at`, not before the last `put`.
  [[nodiscard]] unsigned room(Cycle at) const;
  // The first cycle, `from` or later, with room for `bytes`, which the buffer can hold.
  [[nodiscard]] Cycle room_cycle(unsigned bytes, Cycle from) const;
  // Takes an mpacket in cycle `at`; requires room for it. Calls come in the order of their cycles.
  void put(const OutgoingMpacket& mpacket, Cycle at);

  // When the bytes of the frame that was put in last pass the wire; its end is known once its last
  // mpacket was put in.
  struct Passage {
    Cycle first_byte;  // begins
    Cycle last_byte;   // has left
  };
  [[nodiscard]] Passage last_frame() const {
    return {clock_.first_cycle_at(frame_start_), clock_.first_cycle_at(frame_end_)};
  }

  [[nodiscard]] bool empty(Cycle at) const { return room(at) == capacity_; }
  // How often the wire waited in the middle of a frame.
  [[nodiscard]] std::uint64_t underruns() const { return underruns_; }
  void hash(StateHash& hash, Cycle at) const;

 private:
  struct Buffered {
    unsigned bytes = 0;
    Cycle gone;
  };
  [[nodiscard]] std::size_t place(unsigned index) const {
    return (first_ + index) & (ring_.size() - 1);
  }

  WireClock clock_;
  std::uint32_t capacity_;
  workloads::Slot slot_;
  std::vector<Buffered> ring_;  // a power of two; some may have gone already
  unsigned first_ = 0;
  unsigned count_ = 0;
  unsigned occupied_ = 0;  // bytes of all `count_`
  WireTicks wire_free_ = 0;
  WireTicks frame_start_ = 0;  // of the frame that was put in last
  WireTicks frame_end_ = 0;
  std::uint64_t underruns_ = 0;
};

}  // namespace nplab::simulator
