#include "simulator/fbi/receive_machine.h"

#include <algorithm>
#include <cassert>

namespace nplab::simulator {

ReceiveRequest ReceiveRequest::decode(std::uint32_t longword, unsigned stride) {
  return ReceiveRequest{longword & 15, (longword >> 4) & 15,
                        ThreadId((longword >> 8) & kThreadField, stride)};
}

std::uint32_t ReceiveControl::encode() const {
  return request.port | request.element << 4 | std::uint32_t{start_of_packet} << 8 |
         std::uint32_t{end_of_packet} << 9 | std::uint32_t{error} << 10 |
         std::uint32_t{empty} << 11 | valid_bytes << 16;
}

ReceiveMachine::ReceiveMachine(const FbiParameters& parameters, ReceiveFifo& fifo,
                               FrameTracker& tracker)
    : parameters_(parameters),
      fifo_(fifo),
      tracker_(tracker),
      queue_(parameters.receive_requests) {}

void ReceiveMachine::connect(MediaDevice& media) {
  media_ = &media;
  claims_.assign(media.ports(), 0);
}

bool ReceiveMachine::accept(const ReceiveRequest& request, Cycle at) {
  if (queue_.full())
    return false;
  queue_.push(request);
  ++claims_[request.port];
  if (queue_.size() == 1)
    begin_head(at);
  return true;
}

bool ReceiveMachine::available() const {
  return queue_.capacity() - queue_.size() > parameters_.receive_request_margin;
}

// Only this machine empties the port's buffer, so it is known at once whether the next mpacket
// arrives in time, unless frames come from outside (`look_again`).
void ReceiveMachine::begin_head(Cycle at) {
  wants_bus_ = timeout_ = Cycle::never();
  if (queue_.empty())
    return;
  head_since_ = at;
  media_->receive(queue_.front().port).advance(at);
  look_at_port();
}

void ReceiveMachine::look_at_port() {
  const ReceivePort& port = media_->receive(queue_.front().port);
  const Cycle ready = std::max(head_since_, port.next_ready_cycle());
  const Cycle deadline = head_since_ + parameters_.receive_timeout;
  wants_bus_ = timeout_ = Cycle::never();
  (ready <= deadline ? wants_bus_ : timeout_) = std::min(ready, deadline);
}

void ReceiveMachine::look_again(unsigned port) {
  if (!queue_.empty() && !started_ && queue_.front().port == port)
    look_at_port();
}

IxCycles ReceiveMachine::start(Cycle at) {
  assert(!started_ && wants_bus_ <= at && "the bus is given to who wants it");
  started_ = at;
  wants_bus_ = Cycle::never();
  ReceivePort& port = media_->receive(queue_.front().port);
  port.advance(at);
  const std::size_t bytes = port.front().bytes.size();
  const unsigned width = parameters_.ix_bytes_per_cycle;
  return parameters_.ix_receive_overhead + (bytes + width - 1) / width;
}

bool ReceiveMachine::completes_frame() const {
  return started_ && media_->receive(queue_.front().port).front().end_of_packet;
}

ReceiveCompletion ReceiveMachine::complete(Cycle at) {
  const ReceiveRequest request = queue_.front();
  ReceivePort& port = media_->receive(request.port);
  port.advance(at);
  const Mpacket& mpacket = port.front();
  fifo_.store(request.element, mpacket.bytes);
  tracker_.receive(request.port, request.element, mpacket, *started_, at);
  const ReceiveControl control{request,
                               mpacket.start_of_packet,
                               mpacket.end_of_packet,
                               mpacket.error,
                               false,
                               static_cast<unsigned>(mpacket.bytes.size())};
  port.release(at);
  started_.reset();
  pop_head(at);
  return ReceiveCompletion{request.thread, control};
}

ReceiveCompletion ReceiveMachine::give_up(Cycle at) {
  const ReceiveRequest request = pop_head(at);
  return ReceiveCompletion{request.thread, ReceiveControl{request, false, false, false, true, 0}};
}

ReceiveRequest ReceiveMachine::pop_head(Cycle at) {
  const ReceiveRequest request = queue_.pop();
  --claims_[request.port];
  begin_head(at);
  return request;
}

void ReceiveMachine::hash(StateHash& hash, Cycle done) const {
  hash.add(queue_.size());
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const ReceiveRequest& request = queue_.at(i);
    hash.add(request.port | request.element << 4 | request.thread.place() << 8);
  }
  const bool waits = !queue_.empty() && !started_ && std::min(wants_bus_, timeout_) >= done &&
                     media_->receive(queue_.front().port).takes_offers();
  hash.add(waits ? head_since_ : wants_bus_);
  hash.add(waits ? head_since_ : timeout_);
  hash.add(started_.value_or(Cycle::never()));
}

}  // namespace nplab::simulator
