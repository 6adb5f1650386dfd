// The scratch memory, in the FBI: one queue before the FBI's command processor, and a 32-bit bus at
// core clock; increment and bit operations are atomic.
#pragma once

#include "simulator/base/fbi_processor.h"
#include "simulator/memory/queued_unit.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class ScratchUnit final : public QueuedUnit<ScratchUnit, kScratchQueues> {
 public:
  explicit ScratchUnit(const ScratchDescription& description);

  // Which executes the commands; once, before the first cycle. It outlives the unit. Behind caches
  // the memory has a processor of its own: their requests do not pass the FBI.
  void connect_processor(FbiProcessor& processor) {
    processor_ = is_behind_cache() ? &own_processor_ : &processor;
  }

  void deliver(const Command& command, Cycle at) override;
  void hash(StateHash& hash) const override;

 private:
  friend QueuedUnit;

  [[nodiscard]] static unsigned queue_of(const Command&) { return 0; }
  // Cycles that the command occupies bus and processor.
  [[nodiscard]] Cycles occupancy(const Command& command) const;
  void decide();
  void schedule();
  void serve(const Command& command);
  void modify_bits(const Command& command);

  ScratchDescription description_;
  FbiProcessor* processor_ = nullptr;
  FbiProcessor own_processor_;
};

}  // namespace nplab::simulator
