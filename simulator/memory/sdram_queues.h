// The queues of an SDRAM unit, whatever the model of its memory, and the choice among them: the
// next of a chain, or else the first of the queue that the arbiter names. References with
// optimize_mem are sorted into the bank queues, the others keep their order. `Unit` says which
// bank, even or odd, an address is in (`bank_of`).
#pragma once

#include <optional>

#include "simulator/arbitration/policies.h"
#include "simulator/memory/queued_unit.h"
#include "simulator/memory/sdram_memory.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

template <class Unit>
class SdramQueues : public QueuedUnit<Unit, kSdramQueues, SdramMemory> {
  using Queued = QueuedUnit<Unit, kSdramQueues, SdramMemory>;

 public:
  void deliver(const Command& command, Cycle at) final {
    if (this->check_reference(command, at))
      this->enqueue(command, at);
  }

 protected:
  friend Queued;

  SdramQueues(const SdramDescription& description, const MemoryUnit::Clocking& clocking)
      : Queued(description.bytes, clocking, description.queues, description.effective_capacity),
        arbiter_(description.arbitration, Queued::kQueues) {}

  [[nodiscard]] unsigned queue_of(const Command& command) const {
    constexpr unsigned kPriority = kSdramQueues.index_of("priority_queue");
    constexpr unsigned kEven = kSdramQueues.index_of("even_queue");
    constexpr unsigned kOdd = kSdramQueues.index_of("odd_queue");
    constexpr unsigned kOrder = kSdramQueues.index_of("order_queue");
    if (has_token(command, isa::Token::kPriority))
      return kPriority;
    if (!has_token(command, isa::Token::kOptimizeMem))
      return kOrder;
    return static_cast<const Unit&>(*this).bank_of(command.address) == 0 ? kEven : kOdd;
  }
  // Of the queues of `asking`, of which there is one.
  [[nodiscard]] unsigned choose(std::uint64_t asking) {
    if (const auto queue = next_of_chain(asking))
      return *queue;
    const RequestView requests(asking, *this);
    const unsigned queue = arbiter_.choose(requests);
    arbiter_.served(requests, queue);
    return queue;
  }
  // The reference is the last that was chosen.
  void note_served(const Command& command) {
    last_bank_ = static_cast<const Unit&>(*this).bank_of(command.address);
  }
  void note_chain(const Command& command) {
    chained_.reset();
    if (has_token(command, isa::Token::kChainRef))
      chained_ = command.thread.engine;
  }

  SdramArbiter arbiter_;
  unsigned last_bank_ = 1;
  std::optional<EngineId> chained_;  // whose reference follows if it is there

 private:
  // What the arbiter may know.
  class RequestView : public QueueRequests<typename Queued::CommandQueue> {
   public:
    RequestView(std::uint64_t asking, const SdramQueues& unit)
        : QueueRequests<typename Queued::CommandQueue>(asking, unit.queues_.data()),
          last_bank_(unit.last_bank_) {}
    [[nodiscard]] unsigned last_bank() const { return last_bank_; }

   private:
    unsigned last_bank_;
  };

  [[nodiscard]] std::optional<unsigned> next_of_chain(std::uint64_t queues) const {
    if (!chained_)
      return std::nullopt;
    for (unsigned queue = 0; queue < Queued::kQueues; ++queue)
      if ((queues >> queue & 1) != 0 &&
          this->queues_[queue].front().command.thread.engine == *chained_)
        return queue;
    return std::nullopt;
  }
};

}  // namespace nplab::simulator
