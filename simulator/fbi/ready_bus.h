// The ready-bus sequencer: software sees the ports' readiness as it was at the last sampling point,
// not as it is.
#pragma once

#include <algorithm>
#include <cstdint>

#include "simulator/fbi/receive_machine.h"
#include "simulator/media/media_device.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::simulator {

// Sampling points are the multiples of the period. A sample is taken when someone looks or just
// before what it shows changes, so nothing happens at the points themselves: what arrives on the
// wire carries its cycle.
class ReadyBus {
 public:
  ReadyBus(const FbiParameters& parameters, const ReceiveMachine& receive)
      : period_(parameters.ready_bus_period), receive_(receive) {}

  // Once, before the first cycle. The device outlives this.
  void connect(MediaDevice& media) { media_ = &media; }

  // Takes the sample of the last point up to and including cycle `at`, unless taken. To be called
  // before a request is queued or a port's buffer is filled or emptied in cycle `at`; so a point
  // sees the state before the changes of its own cycle.
  void catch_up(Cycle at);

  // Bit p: port p has an mpacket that no request has claimed. As of the last catch_up.
  [[nodiscard]] std::uint32_t receive_ready() const { return receive_ready_; }
  // Bit p: port p has room for an mpacket.
  [[nodiscard]] std::uint32_t transmit_ready() const { return transmit_ready_; }
  // Sampling points so far.
  [[nodiscard]] std::uint64_t samples() const { return next_point_; }

 private:
  Cycles period_;
  MediaDevice* media_ = nullptr;
  const ReceiveMachine& receive_;
  std::uint64_t next_point_ = 0;  // the first whose sample is not taken, in periods
  std::uint32_t receive_ready_ = 0;
  std::uint32_t transmit_ready_ = 0;
};

}  // namespace nplab::simulator
