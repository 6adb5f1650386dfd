// The scratch memory, in the FBI: one queue before a 32-bit bus at core clock; increment and bit
// operations are atomic.
#pragma once

#include "simulator/base/fixed_queue.h"
#include "simulator/memory/memory_unit.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class ScratchUnit final : public MemoryUnit {
 public:
  explicit ScratchUnit(const ScratchDescription& description);

  [[nodiscard]] bool has_room(const Command& command, Cycle at) override;
  [[nodiscard]] Cycle full_before(const Command& command) const override;
  [[nodiscard]] Refusal refusal(const Command& command) const override;
  void deliver(const Command& command, Cycle at) override;
  // Works through all cycles before `horizon` that are not done yet.
  void run(Cycle horizon) {
    while (next_decision_ < horizon)
      decide();
  }

  [[nodiscard]] std::size_t queued() const { return queue_.size(); }

  [[nodiscard]] QueuedReferences queued_references() const override;
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  void decide();
  void schedule();
  void serve(const Command& command);
  void modify_bits(const Command& command);

  ScratchDescription description_;
  FixedQueue<QueuedCommand> queue_;
};

}  // namespace nplab::simulator
