// The SRAM unit: priority, read and order queues before one 32-bit bus, a lock CAM with its queue
// of failed read_locks, and free lists. One reference holds the bus at a time. The next is chosen,
// and leaves its queue, the pipeline latency before the bus is free for it, so that a busy bus is
// never kept waiting by an access that is being set up:
// a read whose answer a device has by now, or a read_lock whose address has become free, or else
// the first reference of the queue that the arbiter names. Simplified: a reference's entire memory
// access happens in the cycle in which it is chosen.
#pragma once

#include <vector>

#include "simulator/arbitration/policies.h"
#include "simulator/base/command_kinds.h"
#include "simulator/memory/device_references.h"
#include "simulator/memory/queued_unit.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class SramUnit final : public QueuedUnit<SramUnit, kSramQueues> {
 public:
  explicit SramUnit(const SramDescription& description);

  // Before the first cycle: what the programs may send; without this call, anything.
  void expect(const CommandKinds& kinds);

  void deliver(const Command& command, Cycle at) override;

  // Before the first cycle: `device`, which outlives the unit, answers for `bytes` from address
  // `from` on. Ranges do not overlap.
  void attach(std::uint32_t from, std::uint32_t bytes, SramDevice& device) {
    devices_.attach({from, bytes, &device});
  }
  // Of a reference that is answered by notice (SramDevice::Comes), in a cycle that all parts have
  // done with the next: the device has taken the request, and the bus may be given to another
  // reference two cycles later; it has answered.
  void request_taken(Cycle at);
  void answered(const SramDevice& device, SramDevice::Ticket ticket,
                std::span<const std::uint32_t> longwords, Cycle at);

  // Loads a free list before the first cycle: the address of its first block, 0 when empty. Each
  // block's first longword holds the address of the next.
  void set_free_list(unsigned list, std::uint32_t first_block) { free_lists_[list] = first_block; }
  [[nodiscard]] std::uint32_t free_list(unsigned list) const { return free_lists_[list]; }

  // Addresses that are locked in the lock CAM.
  [[nodiscard]] const std::vector<std::uint32_t>& locks() const { return locks_; }

  [[nodiscard]] QueuedReferences queued_references() const override;
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  friend QueuedUnit;
  class RequestView;
  enum class Direction { kRead, kWrite };
  static constexpr unsigned kPriority = kSramQueues.index_of("priority_queue");
  static constexpr unsigned kRead = kSramQueues.index_of("read_queue");
  static constexpr unsigned kOrder = kSramQueues.index_of("order_queue");
  static constexpr unsigned kLockFail = kSramQueues.index_of("lock_fail_queue");

  // That a device has not taken yet: it holds the bus, and nothing is chosen.
  struct OpenRequest {
    BusUser user;
    bool holds_bus = true;
  };
  [[nodiscard]] static unsigned queue_of(const Command& command);
  void decide();
  void schedule();
  // Serves a failed read_lock whose address has become free; false: there is none.
  bool serve_unlocked();
  // Serves a read whose answer a device has by now; false: there is none.
  bool serve_answered();
  // The queues whose first reference can be served, a bit each.
  [[nodiscard]] std::uint64_t servable();
  // False: a write that its device does not take yet, which holds its queue back.
  [[nodiscard]] bool is_taken(const Command& command);
  // After a failed read_lock has left the lock-fail queue: the first of those held back moves up.
  void move_up();
  inline void serve(const Command& command);

  inline void read(const Command& command);
  void write(const Command& command);
  // Reports a fault and returns false unless the reference is one that devices take.
  bool check_device(const Command& command, Cycle at);
  void read_device(SramDevice& device, const Command& command);
  void write_device(SramDevice& device, const Command& command);
  // A device's answer to a read takes the bus; when it is done but for the device's own time.
  Cycle take_read_bus(const Command& command, const SramDevice::Answer& answer);
  // ... has taken the bus, and is done in cycle `done` but for the device's own time.
  void finish_device(const SramDevice& device, const Command& command,
                     const SramDevice::Answer& answer, std::span<const std::uint32_t> data,
                     Cycle done);
  // Completes what need not be kept any more.
  void give_answers();
  // A device's request holds the bus until `at` at least.
  void hold_bus(const OpenRequest& request, Cycle at);
  // As complete(), in the order of the thread's references.
  inline void finish(const Command& command, std::span<const std::uint32_t> data,
                     unsigned longwords, Cycle done);
  void read_lock(const Command& command);
  void hold_back(const Command& command);
  [[nodiscard]] unsigned places_kept(unsigned queue) const { return places_kept_[queue]; }
  template <class Visit>
  void for_each_held_back(Visit visit) const {
    for (const QueuedCommand& lock : held_back_)
      visit(queue_of(lock.command), lock);
  }
  void count_unlocks(int more);
  void unlock(const Command& command);
  void modify_bits(const Command& command);
  void push_block(const Command& command);
  void pop_block(const Command& command);

  [[nodiscard]] bool locked(std::uint32_t address) const;
  void release(std::uint32_t address);
  // The first cycle of the bus that the reference being served can have.
  [[nodiscard]] inline Cycle bus_start() const;
  // Holds the bus for data in `direction`, as soon as it is free and has turned.
  void take_bus(const Command& command, Direction direction, Cycles occupied);

  SramDescription description_;
  Cycles lead_;  // from choice to bus, unloaded: the pipeline latency in full periods of the
                 // unit's clock
  SramArbiter arbiter_;
  unsigned queued_unlocks_ = 0;
  Direction direction_ = Direction::kRead;
  // Failed read_locks that found the lock-fail queue full, in the order of failing.
  std::vector<QueuedCommand> held_back_;
  std::array<unsigned, kQueues> places_kept_{};  // by them
  std::vector<std::uint32_t> locks_;             // addresses
  std::vector<std::uint32_t> free_lists_;        // first block of each
  DeviceReferences devices_;
  std::optional<OpenRequest> request_;
};

}  // namespace nplab::simulator
