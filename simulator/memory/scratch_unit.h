// The scratch memory, in the FBI: one queue before a 32-bit bus at core clock; increment and bit
// operations are atomic.
#pragma once

#include "simulator/memory/queued_unit.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class ScratchUnit final : public QueuedUnit<ScratchUnit, kScratchQueues> {
 public:
  explicit ScratchUnit(const ScratchDescription& description);

  void deliver(const Command& command, Cycle at) override;
  void hash(StateHash& hash) const override;

 private:
  friend QueuedUnit;

  [[nodiscard]] static unsigned queue_of(const Command&) { return 0; }
  void decide();
  void schedule();
  void serve(const Command& command);
  void modify_bits(const Command& command);

  ScratchDescription description_;
};

}  // namespace nplab::simulator
