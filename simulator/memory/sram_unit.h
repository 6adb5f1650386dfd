// The SRAM unit: priority, read and order queues before one 32-bit bus, a lock CAM with its queue
// of failed read_locks, and free lists. One reference holds the bus at a time. The next is chosen,
// and leaves its queue, the pipeline latency before the bus is free for it, so that a busy bus is
// never kept waiting by an access that is being set up:
//   a read_lock whose address has become free; the priority queue; reads that may be reordered
//   (optimize_mem), up to read_group in a row; the order queue (writes and everything else).
// Simplified: a reference's memory access happens, whole, in the cycle in which it is chosen.
#pragma once

#include <array>
#include <vector>

#include "simulator/base/command_kinds.h"
#include "simulator/base/fixed_queue.h"
#include "simulator/memory/memory_unit.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class SramUnit final : public MemoryUnit {
 public:
  explicit SramUnit(const SramDescription& description);

  // Before the first cycle: what the programs may send; without this call, anything.
  void expect(const CommandKinds& kinds);

  [[nodiscard]] bool has_room(const Command& command, Cycle at) override;
  [[nodiscard]] Cycle full_before(const Command& command) const override;
  [[nodiscard]] Refusal refusal(const Command& command) const override;
  void deliver(const Command& command, Cycle at) override;
  // Works through all cycles before `horizon` that are not done yet.
  void run(Cycle horizon) {
    while (next_decision_ < horizon)
      decide();
  }

  // Loads a free list before the first cycle: the address of its first block, 0 when empty. Each
  // block's first longword holds the address of the next.
  void set_free_list(unsigned list, std::uint32_t first_block) { free_lists_[list] = first_block; }
  // Entries of the priority, read, order and lock-fail queues.
  [[nodiscard]] std::array<std::size_t, 4> queue_sizes() const {
    return {priority_.size(), read_.size(), order_.size(), lock_failed_.size()};
  }
  [[nodiscard]] std::uint32_t free_list(unsigned list) const { return free_lists_[list]; }

  [[nodiscard]] QueuedReferences queued_references() const override;
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  using Queue = FixedQueue<QueuedCommand>;
  enum class Direction { kRead, kWrite };

  [[nodiscard]] Queue& queue_of(const Command& command);
  [[nodiscard]] const Queue& queue_of(const Command& command) const;
  [[nodiscard]] bool is_full_for(const Command& command) const;
  [[nodiscard]] unsigned waiting() const;
  [[nodiscard]] inline bool due(const Queue& queue) const;
  void decide();
  void schedule();
  [[nodiscard]] inline Queue* choose();
  // Serves a failed read_lock whose address has become free; false: there is none.
  bool serve_unlocked();
  inline void serve(const Command& command);

  inline void read(const Command& command);
  void write(const Command& command);
  void read_lock(const Command& command);
  void count_unlocks(int more);
  void unlock(const Command& command);
  void modify_bits(const Command& command);
  void push_block(const Command& command);
  void pop_block(const Command& command);

  [[nodiscard]] bool locked(std::uint32_t address) const;
  void release(std::uint32_t address);
  // The first cycle of the bus that the reference being served can have.
  [[nodiscard]] inline Cycle bus_start() const;
  // Bus cycles before data in `direction` may pass.
  Cycles turn(Direction direction);

  SramDescription description_;
  Cycles lead_;  // from choice to bus, unloaded: the pipeline latency in whole periods of the
                 // unit's clock
  Queue priority_;
  Queue read_;
  Queue order_;
  Queue lock_failed_;
  unsigned in_queues_ = 0;       // of the first three
  unsigned queued_unlocks_ = 0;  // of these
  unsigned reads_in_row_ = 0;
  Direction direction_ = Direction::kRead;
  std::vector<std::uint32_t> locks_;       // addresses
  std::vector<std::uint32_t> free_lists_;  // first block of each
};

}  // namespace nplab::simulator
