#include "simulator/fbi/ix_bus.h"

#include <algorithm>
#include <cassert>

namespace nplab::simulator {

Cycle IxBus::grant_cycle() const {
  const Cycle wanted = std::min(receive_.wants_bus(), transmit_.wants_bus());
  if (user_ || wanted == Cycle::never())
    return Cycle::never();
  return clock_.start_of(std::max(clock_.first_from(wanted), free_from_));
}

void IxBus::grant(Cycle at) {
  assert(!user_ && "the bus carries one transfer at a time");
  const bool receive_wants = receive_.wants_bus() <= at;
  const bool transmit_wants = transmit_.wants_bus() <= at;
  assert((receive_wants || transmit_wants) && "the bus is given to who wants it");
  const bool to_receive = receive_wants && (!transmit_wants || last_user_ == User::kTransmit);
  user_ = last_user_ = to_receive ? User::kReceive : User::kTransmit;
  const IxCycles length = to_receive ? receive_.start(at) : transmit_.start(at);
  free_from_ = clock_.first_from(at) + length;
  end_ = clock_.start_of(free_from_);
}

IxBus::User IxBus::release() {
  assert(user_ && "a transfer is under way");
  const User user = *user_;
  user_.reset();
  end_ = Cycle::never();
  return user;
}

Cycles IxBus::shortest_transfer(const IxClock& clock, const FbiParameters& parameters) {
  const Cycle rounded_up = clock.start_of(parameters.ix_receive_overhead + 1);
  return rounded_up.number() - 1;
}

void IxBus::hash(StateHash& hash) const {
  hash.add(user_ ? static_cast<std::uint64_t>(*user_) : 2);
  hash.add(static_cast<std::uint64_t>(last_user_));
  hash.add(end_);
  hash.add(free_from_);
}

}  // namespace nplab::simulator
