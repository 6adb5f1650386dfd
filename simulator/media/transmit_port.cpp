#include "simulator/media/transmit_port.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nplab::simulator {

TransmitPort::TransmitPort(const WireClock& clock, std::uint32_t buffer_bytes, workloads::Slot slot)
    : clock_(clock), capacity_(buffer_bytes), slot_(slot), ring_(std::bit_ceil(buffer_bytes)) {}

unsigned TransmitPort::room(Cycle at) const {
  unsigned held = occupied_;
  for (unsigned i = 0; i < count_ && ring_[place(i)].gone <= at; ++i)
    held -= ring_[place(i)].bytes;
  return capacity_ - held;
}

Cycle TransmitPort::room_cycle(unsigned bytes, Cycle from) const {
  assert(bytes <= capacity_ && "the buffer can hold it");
  unsigned held = occupied_;
  Cycle at = from;
  for (unsigned i = 0; i < count_ && capacity_ - held < bytes; ++i) {
    held -= ring_[place(i)].bytes;
    at = std::max(at, ring_[place(i)].gone);
  }
  return at;
}

void TransmitPort::put(const OutgoingMpacket& mpacket, Cycle at) {
  assert(mpacket.bytes > 0 && room(at) >= mpacket.bytes && "the mpacket has room");
  while (count_ > 0 && ring_[first_].gone <= at) {
    occupied_ -= ring_[first_].bytes;
    first_ = static_cast<unsigned>(place(1));
    --count_;
  }
  WireTicks start = clock_.start_of(at);
  if (mpacket.start_of_packet) {
    start = std::max(start, wire_free_) + clock_.bytes(slot_.preamble_bytes);
  } else {
    if (start > wire_free_)
      ++underruns_;
    start = std::max(start, wire_free_);
  }
  const WireTicks end = start + clock_.bytes(mpacket.bytes);
  ring_[place(count_++)] = Buffered{mpacket.bytes, clock_.first_cycle_at(end)};
  occupied_ += mpacket.bytes;
  if (mpacket.start_of_packet)
    frame_start_ = start;
  frame_end_ = end;
  wire_free_ = mpacket.end_of_packet ? end + clock_.bytes(slot_.gap_bytes) : end;
}

void TransmitPort::hash(StateHash& hash, Cycle at) const {
  hash.add(room(at));
  hash.add(wire_free_);
  hash.add(underruns_);
}

}  // namespace nplab::simulator
