// The SDRAM unit of the IXP1200: priority, even-bank, odd-bank and order queues before one 64-bit
// bus. Every bank is closed when an access ends, so there are no page hits: an access to the bank
// used last waits for it, one to the opposite bank does not. When the bus is free the next
// reference is chosen (sdram_queues.h), from those that have been in the unit for its pipeline
// latency. Simplified: a reference's entire memory access happens in the cycle in which it is
// chosen; once chosen it keeps the bus while it waits for its bank; a refresh lets the reference
// chosen before it pass.
#pragma once

#include "simulator/memory/sdram_queues.h"
#include "simulator/memory/sdram_timing.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class SdramUnit final : public SdramQueues<SdramUnit> {
 public:
  explicit SdramUnit(const SdramDescription& description);

  [[nodiscard]] double bits_per_cycle() const override {
    return 8.0 * description_.bus_bytes / description_.bus_cycles;
  }
  void hash(StateHash& hash) const override;

 private:
  friend QueuedUnit;
  friend SdramQueues;
  enum class Direction { kRead, kWrite };

  [[nodiscard]] unsigned bank_of(std::uint32_t address) const {
    return address >> description_.bank_select_bit & 1;
  }
  void decide();
  void schedule();
  void serve(const Command& command);
  void transfer_data(const Command& command, Direction direction);

  SdramDescription description_;
  Direction direction_ = Direction::kRead;
  SdramTiming timing_;
  Cycle next_refresh_ = Cycle::never();
};

}  // namespace nplab::simulator
