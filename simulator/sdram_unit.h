// The SDRAM unit: priority, even-bank, odd-bank and order queues before one 64-bit bus. Every bank is closed when an
// access ends, so there are no page hits: an access to the bank used last waits for it, one to the opposite bank does
// not. When the bus is free the next reference is chosen, from those that have been in the unit for its pipeline
// latency: priority, then the bank opposite to the last, then the order queue, then the same bank. References with
// optimize_mem are sorted into the bank queues, the others keep their order.
// Simplified: a reference's memory access happens, whole, in the cycle in which it is chosen; no refresh; a chained
// reference has no precedence here, only on the command bus.
#pragma once

#include <array>
#include <vector>

#include "simulator/chip_description.h"
#include "simulator/fixed_queue.h"
#include "simulator/memory_unit.h"

namespace nplab::simulator {

class SdramUnit final : public MemoryUnit {
 public:
  explicit SdramUnit(const SdramDescription& description);

  // The way to the FIFOs, once, before the first cycle.
  void connect_fifos(FifoAccess& fifos) { fifos_ = &fifos; }

  [[nodiscard]] bool has_room(const Command& command, Cycle at) const override;
  void deliver(const Command& command, Cycle at) override;
  // Works through all cycles before `horizon` that are not done yet.
  void run(Cycle horizon) {
    while (next_decision_ < horizon) decide();
  }

  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  using Queue = FixedQueue<QueuedCommand>;
  enum class Direction { kRead, kWrite };

  [[nodiscard]] unsigned bank_of(std::uint32_t address) const { return address >> description_.bank_select_bit & 1; }
  [[nodiscard]] const Queue& queue_of(const Command& command) const;
  [[nodiscard]] bool due(const Queue& queue) const;
  bool check_fifo(const Command& command, Cycle at);
  void decide();
  void schedule();
  Queue* choose();
  void serve(const Command& command);
  void store_bytes(const Command& command, std::span<const std::uint32_t> longwords);
  void transfer_data(const Command& command, Direction direction);

  SdramDescription description_;
  FifoAccess* fifos_ = nullptr;
  Queue priority_;
  std::array<Queue, 2> banks_;   // even, odd
  Queue order_;
  unsigned waiting_ = 0;
  unsigned last_bank_ = 1;
  Direction direction_ = Direction::kRead;
  std::array<Cycle, 2> bank_ready_;
};

}  // namespace nplab::simulator
