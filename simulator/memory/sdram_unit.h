// The SDRAM unit: priority, even-bank, odd-bank and order queues before one 64-bit bus. Every bank
// is closed when an access ends, so there are no page hits: an access to the bank used last waits
// for it, one to the opposite bank does not. When the bus is free the next reference is chosen,
// from those that have been in the unit for its pipeline latency: the next of a chain, then
// priority, then the bank opposite to the last, then the order queue, then the same bank.
// References with optimize_mem are sorted into the bank queues, the others keep their order.
// Simplified: a reference's memory access happens, whole, in the cycle in which it is chosen; once
// chosen it keeps the bus while it waits for its bank; a refresh lets the reference chosen before
// it pass.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "simulator/base/fixed_queue.h"
#include "simulator/memory/memory_unit.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class SdramUnit final : public MemoryUnit {
 public:
  explicit SdramUnit(const SdramDescription& description);

  // The way to the FIFOs, once, before the first cycle.
  void connect_fifos(FifoAccess& fifos) { fifos_ = &fifos; }

  [[nodiscard]] bool has_room(const Command& command, Cycle at) override;
  [[nodiscard]] Cycle full_before(const Command& command) const override;
  [[nodiscard]] Refusal refusal(const Command& command) const override;
  void deliver(const Command& command, Cycle at) override;
  // Works through all cycles before `horizon` that are not done yet.
  void run(Cycle horizon) {
    while (next_decision_ < horizon)
      decide();
  }

  // Entries of the priority, even-bank, odd-bank and order queues.
  [[nodiscard]] std::array<std::size_t, 4> queue_sizes() const {
    return {priority_.size(), banks_[0].size(), banks_[1].size(), order_.size()};
  }

  [[nodiscard]] QueuedReferences queued_references() const override;
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  using Queue = FixedQueue<QueuedCommand>;
  enum class Direction { kRead, kWrite };

  [[nodiscard]] unsigned bank_of(std::uint32_t address) const {
    return address >> description_.bank_select_bit & 1;
  }
  [[nodiscard]] const Queue& queue_of(const Command& command) const;
  [[nodiscard]] bool is_full_for(const Command& command) const;
  [[nodiscard]] bool due(const Queue& queue) const;
  bool check_fifo(const Command& command, Cycle at);
  void decide();
  void schedule();
  Queue* choose();
  Queue* next_of_chain();
  [[nodiscard]] Cycle earliest_start(unsigned bank) const;
  void refresh();
  void serve(const Command& command);
  void store_bytes(const Command& command, std::span<const std::uint32_t> longwords);
  void transfer_data(const Command& command, Direction direction);

  SdramDescription description_;
  FifoAccess* fifos_ = nullptr;
  Queue priority_;
  std::array<Queue, 2> banks_;  // even, odd
  Queue order_;
  unsigned waiting_ = 0;
  unsigned last_bank_ = 1;
  Direction direction_ = Direction::kRead;
  std::optional<EngineId> chained_;  // whose reference follows if it is there
  std::array<Cycle, 2> closed_;      // precharged behind the last access
  std::array<Cycle, 2> ready_;       // a bank's next access can take the bus
  Cycle next_activation_;            // any bank's can, as to tRRD
  Cycle next_refresh_ = Cycle::never();
};

}  // namespace nplab::simulator
