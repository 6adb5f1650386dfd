// The SDRAM unit: priority, even-bank, odd-bank and order queues before one 64-bit bus. Every bank
// is closed when an access ends, so there are no page hits: an access to the bank used last waits
// for it, one to the opposite bank does not. When the bus is free the next reference is chosen,
// from those that have been in the unit for its pipeline latency: the next of a chain, or else the
// first of the queue that the arbiter names. References with optimize_mem are sorted into the bank
// queues, the others keep their order.
// Simplified: a reference's entire memory access happens in the cycle in which it is chosen; once
// chosen it keeps the bus while it waits for its bank; a refresh lets the reference chosen before
// it pass.
#pragma once

#include <optional>
#include <vector>

#include "simulator/arbitration/policies.h"
#include "simulator/memory/queued_unit.h"
#include "simulator/memory/sdram_timing.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class SdramUnit final : public QueuedUnit<SdramUnit, kSdramQueues> {
 public:
  explicit SdramUnit(const SdramDescription& description);

  // The way to the FIFOs, once, before the first cycle.
  void connect_fifos(FifoAccess& fifos) { fifos_ = &fifos; }
  // Who is notified of engines' reads; may be absent.
  void watch_reads(SdramReadWatch* watch) { read_watch_ = watch; }

  void deliver(const Command& command, Cycle at) override;

  void hash(StateHash& hash) const override;

 protected:
  void note_read(const Command& command, Cycle done) override {
    if (read_watch_ != nullptr && command.operation == isa::Operation::kSdramRead)
      read_watch_->read(command.address, done);
  }

 private:
  friend QueuedUnit;
  class RequestView;
  enum class Direction { kRead, kWrite };

  [[nodiscard]] unsigned bank_of(std::uint32_t address) const {
    return address >> description_.bank_select_bit & 1;
  }
  [[nodiscard]] unsigned queue_of(const Command& command) const;
  bool check_fifo(const Command& command, Cycle at);
  void decide();
  void schedule();
  [[nodiscard]] std::optional<unsigned> next_of_chain(std::uint64_t queues) const;
  [[nodiscard]] unsigned choose(const RequestView& requests);
  void serve(const Command& command);
  void transfer_data(const Command& command, Direction direction);

  SdramDescription description_;
  FifoAccess* fifos_ = nullptr;
  SdramReadWatch* read_watch_ = nullptr;
  SdramArbiter arbiter_;
  unsigned last_bank_ = 1;
  Direction direction_ = Direction::kRead;
  std::optional<EngineId> chained_;  // whose reference follows if it is there
  SdramTiming timing_;
  Cycle next_refresh_ = Cycle::never();
};

}  // namespace nplab::simulator
