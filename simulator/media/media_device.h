// The media device: the ports on the far side of the IX bus, each with a receive and a transmit
// buffer and a wire.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/base/external_units.h"
#include "simulator/media/receive_port.h"
#include "simulator/media/transmit_port.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::simulator {

// What the workload says about the wire.
struct MediaTraffic {
  workloads::Slot slot;  // gap and preamble, both directions
  Offering offering = Offering::kWire;
};

class MediaDevice : public MediaUnit {
 public:
  // Keeps a reference: the source must outlive the device. `core_hz` is the core clock in hertz.
  MediaDevice(const MediaParameters& parameters, std::uint64_t core_hz, const MediaTraffic& traffic,
              workloads::PacketSource& source);

  // The cycles before `horizon` are over. Ports catch up with their wires when someone looks.
  void run(Cycle horizon) override {
    done_ = horizon;
    if (overflow_monitor_ != nullptr)
      look_for_overflow();
  }
  // Once, before the first cycle: an mpacket that finds no room is a fault, which ends the run.
  void stop_at_overflow(RunMonitor& monitor) { overflow_monitor_ = &monitor; }
  [[nodiscard]] unsigned ports() const override { return static_cast<unsigned>(receive_.size()); }

  // For the FBI, which says itself how far a port shall be.
  [[nodiscard]] ReceivePort& receive(unsigned port) { return receive_[port]; }
  // As it stands after the cycles that are over.
  [[nodiscard]] const ReceivePort& receive(unsigned port) const;
  [[nodiscard]] TransmitPort& transmit(unsigned port) { return transmit_[port]; }
  [[nodiscard]] const TransmitPort& transmit(unsigned port) const { return transmit_[port]; }
  [[nodiscard]] const MediaParameters& parameters() const { return parameters_; }

  // Sums over the ports.
  [[nodiscard]] ReceivePort::Counters totals() const;
  // No frame is buffered or still to come on any port.
  [[nodiscard]] bool exhausted() const;
  // Before this cycle the device is not exhausted.
  [[nodiscard]] Cycle earliest_exhaustion() const;
  // Some port buffers what the FBI has not fetched.
  [[nodiscard]] bool frames_wait() const;

  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  void look_for_overflow() const;

  MediaParameters parameters_;
  RunMonitor* overflow_monitor_ = nullptr;
  mutable std::vector<ReceivePort>
      receive_;  // when a port catches up with its wire changes nothing that can be seen
  std::vector<TransmitPort> transmit_;
  Cycle done_;  // all cycles before are
};

}  // namespace nplab::simulator
