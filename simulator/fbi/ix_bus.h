// The IX bus between the FBI and the media device: one transfer at a time, receive and transmit in
// turn when both want it.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/fbi/ix_clock.h"
#include "simulator/fbi/receive_machine.h"
#include "simulator/fbi/transmit_machine.h"

namespace nplab::simulator {

class IxBus {
 public:
  enum class User : std::uint8_t { kReceive, kTransmit };

  IxBus(const IxClock& clock, ReceiveMachine& receive, TransmitMachine& transmit)
      : clock_(clock), receive_(receive), transmit_(transmit) {}

  // Who holds the bus.
  [[nodiscard]] std::optional<User> user() const { return user_; }
  // The end of the transfer under way; never() when there is none.
  [[nodiscard]] Cycle end() const { return end_; }
  // When the bus will be given to a machine that wants it: an IX cycle's start. never() when it is
  // taken or nobody wants it.
  [[nodiscard]] Cycle grant_cycle() const;

  // In its cycle, the machine whose turn it is starts its transfer.
  void grant(Cycle at);
  // In its end cycle, the transfer under way leaves the bus; the machine that held it is told by
  // the caller.
  User release();

  // Core cycles of the shortest transfer to the RFIFO, at least.
  [[nodiscard]] static Cycles shortest_transfer(const IxClock& clock,
                                                const FbiParameters& parameters);
  void hash(StateHash& hash) const;

 private:
  IxClock clock_;
  ReceiveMachine& receive_;
  TransmitMachine& transmit_;
  std::optional<User> user_;
  User last_user_ = User::kTransmit;
  Cycle end_ = Cycle::never();
  IxCycles free_from_ = 0;  // IX cycle
};

}  // namespace nplab::simulator
