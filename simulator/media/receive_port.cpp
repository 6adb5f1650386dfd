#include "simulator/media/receive_port.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nplab::simulator {

ReceivePort::ReceivePort(workloads::PortId port, const WireClock& clock, std::uint32_t buffer_bytes,
                         workloads::Slot slot, Offering offering, Cycle start,
                         workloads::PacketSource& source, const FrameLengths& legal)
    : port_(port),
      clock_(clock),
      capacity_(buffer_bytes),
      slot_(slot),
      offering_(offering),
      source_(source),
      ring_(std::bit_ceil(buffer_bytes)),
      legal_(legal) {
  // With room for two, the mpacket after which a frame is cut off is never the one that is leaving
  // at that moment.
  assert(buffer_bytes >= 2 * kMpacketBytes && "a receive buffer holds two mpackets");
  begin_next_frame(clock_.start_of(start));
}

void ReceivePort::begin_next_frame(WireTicks wire_free) {
  wire_free_ = wire_free;
  if (takes_offers_) {
    if (!offered_.empty()) {
      const Offered next = offered_.front();
      offered_.pop_front();
      return begin(next.packet,
                   std::max(next.first_byte, wire_free + clock_.bytes(slot_.preamble_bytes)));
    }
  } else if (const auto packet = source_.next(port_)) {
    return begin(*packet, wire_free + clock_.bytes(packet->extra_gap_bytes + slot_.preamble_bytes));
  }
  arriving_.reset();
  next_start_ = Cycle::never();
}

void ReceivePort::begin(const workloads::OfferedPacket& packet, WireTicks start) {
  assert(!packet.frame.empty() && "a frame on the wire has bytes");
  arriving_ = Arriving{packet, 0, start};
  next_start_ = clock_.first_cycle_at(start);
}

void ReceivePort::take_offers() {
  takes_offers_ = true;
  begin_next_frame(0);
}

ReceivePort::OnWire ReceivePort::offer(const workloads::OfferedPacket& packet, Cycle at,
                                       Cycle not_before) {
  assert(takes_offers_ && "the port's frames come from outside");
  const WireTicks preamble = clock_.bytes(slot_.preamble_bytes);
  const WireTicks wanted = std::max(clock_.start_of(at), booked_) + preamble;
  const WireTicks start = std::max(wanted, clock_.start_of(not_before));
  offered_.push_back({packet, start});
  booked_ = start + clock_.bytes(packet.frame.size() + slot_.gap_bytes);
  if (!arriving_)
    begin_next_frame(wire_free_);
  const Cycle first_byte = clock_.first_cycle_at(start);
  return {first_byte, clock_.first_cycle_at(booked_), first_byte - clock_.first_cycle_at(wanted)};
}

std::size_t ReceivePort::mpacket_bytes() const {
  return std::min<std::size_t>(kMpacketBytes, arriving_->packet.frame.size() - arriving_->offset);
}

void ReceivePort::advance(Cycle at) {
  while (next_start_ <= at && !wire_waits_) {
    if (arriving_->offset == 0)
      ++counters_.offered;
    if (occupied_ + mpacket_bytes() <= capacity_) {
      take_in();
    } else if (offering_ == Offering::kWire) {
      lose_mpacket();
    } else {
      // Counted once it comes.
      if (arriving_->offset == 0)
        --counters_.offered;
      wire_waits_ = true;
    }
  }
}

void ReceivePort::take_in() {
  const auto bytes = mpacket_bytes();
  const auto& frame = arriving_->packet.frame;
  const bool ends = arriving_->offset + bytes == frame.size();
  const bool illegal = ends && (frame.size() < legal_.shortest || frame.size() > legal_.longest);
  if (illegal)
    ++counters_.illegal;
  if (arriving_->offset == 0)
    ++taken_in_;
  const WireTicks end = arriving_->start + clock_.bytes(bytes);
  Buffered& slot = ring_[place(count_++)];
  slot.mpacket = Mpacket{
      frame.subspan(arriving_->offset, bytes),        arriving_->offset == 0, ends,
      illegal || (ends && arriving_->packet.damaged), arriving_->packet,      taken_in_ - 1};
  slot.ready = clock_.first_cycle_at(end);
  occupied_ += static_cast<unsigned>(bytes);
  if (ends)
    return end_frame();
  arriving_->offset += bytes;
  arriving_->start = end;
  next_start_ = clock_.first_cycle_at(end);
}

void ReceivePort::end_frame() {
  const std::uint64_t left = arriving_->packet.frame.size() - arriving_->offset;
  begin_next_frame(arriving_->start + clock_.bytes(left + slot_.gap_bytes));
}

void ReceivePort::lose_mpacket() {
  if (!first_overflow_)
    first_overflow_ = next_start_;
  if (arriving_->offset == 0) {
    ++counters_.missed;
  } else {
    truncate();
  }
  end_frame();
}

void ReceivePort::truncate() {
  assert(count_ > 0 && "a full buffer holds something");
  Mpacket& last = ring_[place(count_ - 1)].mpacket;
  assert(last.packet.sequence == arriving_->packet.sequence && !last.end_of_packet &&
         "the mpacket before is this frame's");
  last.end_of_packet = true;
  last.error = true;
  ++counters_.truncated;
}

Cycle ReceivePort::ready_cycle(unsigned index) const {
  return index < count_ ? ring_[place(index)].ready : Cycle::never();
}

Cycle ReceivePort::next_ready_cycle() const {
  if (count_ > 0)
    return ring_[place(0)].ready;
  if (!arriving_)
    return Cycle::never();
  return clock_.first_cycle_at(arriving_->start + clock_.bytes(mpacket_bytes()));
}

const Mpacket& ReceivePort::front() const {
  assert(count_ > 0 && "something is buffered");
  return ring_[place(0)].mpacket;
}

void ReceivePort::release(Cycle at) {
  assert(count_ > 0 && "something is buffered");
  occupied_ -= static_cast<unsigned>(ring_[place(0)].mpacket.bytes.size());
  first_ = (first_ + 1) & (ring_.size() - 1);
  --count_;
  if (!wire_waits_)
    return;
  wire_waits_ = false;
  arriving_->start = std::max(arriving_->start, clock_.start_of(at));
  next_start_ = clock_.first_cycle_at(arriving_->start);
}

void ReceivePort::hash(StateHash& hash) const {
  hash.add(count_);
  for (unsigned i = 0; i < count_; ++i) {
    hash.add(ring_[place(i)].mpacket.packet.sequence);
    hash.add(ring_[place(i)].mpacket.bytes.size());
    hash.add(ring_[place(i)].mpacket.end_of_packet);
    hash.add(ring_[place(i)].ready);
  }
  const bool comes = arriving_ && (!takes_offers_ || arriving_->offset != 0 || wire_waits_);
  hash.add(comes ? arriving_->packet.sequence : ~std::uint64_t{0});
  hash.add(comes ? arriving_->start : 0);
  hash.add_all(std::initializer_list<std::uint64_t>{occupied_, counters_.offered, counters_.missed,
                                                    counters_.truncated, counters_.illegal});
}

}  // namespace nplab::simulator
