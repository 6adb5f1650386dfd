// The transmit state machine: walks the TFIFO's elements in order, waits for the next one to be
// valid and for room in its port's buffer, and moves it there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "simulator/fbi/frame_tracker.h"
#include "simulator/fbi/ix_clock.h"
#include "simulator/fbi/packet_fifo.h"
#include "simulator/media/media_device.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::simulator {

class TransmitMachine {
 public:
  TransmitMachine(const FbiParameters& parameters, TransmitFifo& fifo, FrameTracker& tracker)
      : parameters_(parameters), fifo_(fifo), tracker_(tracker) {}

  // Once, before the first cycle. The device outlives this.
  void connect(MediaDevice& media) { media_ = &media; }

  // Software marks the element valid in cycle `at`. What is wrong with its control longword, if
  // anything; then the element stays invalid.
  [[nodiscard]] std::optional<std::string> validate(unsigned element, Cycle at);
  // The element that the machine is at or waits for.
  [[nodiscard]] unsigned pointer() const { return walked_ % parameters_.fifo_elements; }
  // Elements sent and skipped since reset, modulo 2^32: what xmit_ptr shows. With 16 elements
  // bits 3..0 are the pointer; because the bits above continue to count, software can tell a full
  // FIFO from an empty one without further state (the original's register has only the pointer).
  [[nodiscard]] std::uint32_t walked() const { return walked_; }
  // From when on it wants the IX bus; never() when it waits for software.
  [[nodiscard]] Cycle wants_bus() const { return wants_bus_; }

  // It has the bus from cycle `at` on. Returns how many IX cycles it keeps it.
  IxCycles start(Cycle at);
  // The transfer ends in cycle `at`. Whether a frame has been sent with it.
  bool complete(Cycle at);

  void hash(StateHash& hash) const;

 private:
  void look_at_next(Cycle at);

  const FbiParameters& parameters_;
  MediaDevice* media_ = nullptr;
  TransmitFifo& fifo_;
  FrameTracker& tracker_;
  std::uint32_t walked_ = 0;
  Cycle wants_bus_ = Cycle::never();
  std::optional<Cycle> started_;  // the transfer under way
  TransmitControl control_;       // as at its start
  std::array<std::uint8_t, kMpacketBytes> bytes_{};
};

}  // namespace nplab::simulator
