#include "simulator/memory/sdram_unit.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "simulator/memory/reference_effect.h"

namespace nplab::simulator {
namespace {

constexpr std::uint32_t kQuadword = 8;  // bytes
constexpr std::uint8_t kAllBytes = 0xff;

}  // namespace

SdramUnit::SdramUnit(const SdramDescription& description)
    : QueuedUnit(description.bytes,
                 {.period = description.bus_cycles,
                  .least_wait = description.pipeline_latency,
                  .least_service = description.bus_cycles + std::min(description.push_latency,
                                                                     description.write_completion)},
                 description.queues, description.effective_capacity),
      description_(description),
      arbiter_(description.arbitration, kQueues),
      timing_(description) {
  if (description.refresh_period != 0)
    next_refresh_ = Cycle(description.refresh_period);
}

unsigned SdramUnit::queue_of(const Command& command) const {
  constexpr unsigned kPriority = kSdramQueues.index_of("priority_queue");
  constexpr unsigned kEven = kSdramQueues.index_of("even_queue");
  constexpr unsigned kOdd = kSdramQueues.index_of("odd_queue");
  constexpr unsigned kOrder = kSdramQueues.index_of("order_queue");
  if (has_token(command, isa::Token::kPriority))
    return kPriority;
  if (!has_token(command, isa::Token::kOptimizeMem))
    return kOrder;
  return bank_of(command.address) == 0 ? kEven : kOdd;
}

bool SdramUnit::check_fifo(const Command& command, Cycle at) {
  using isa::Operation;
  if (command.operation != Operation::kSdramRFifoRd &&
      command.operation != Operation::kSdramTFifoWr)
    return true;
  const std::uint32_t bytes = kQuadword * command.count;
  if (command.second_address % kQuadword == 0 && command.second_address <= fifos_->fifo_bytes() &&
      bytes <= fifos_->fifo_bytes() - command.second_address)
    return true;
  fault(command, Fault::Kind::kIllegalReference,
        fmt::format("has the FIFO address {:#x}: not aligned to 8 or beyond the FIFO's {} bytes",
                    command.second_address, fifos_->fifo_bytes()),
        at);
  return false;
}

void SdramUnit::deliver(const Command& command, Cycle at) {
  if (!check_address(command, kQuadword * command.count, kQuadword, at) || !check_fifo(command, at))
    return;
  enqueue(command, at);
}

// What the arbiter may know.
class SdramUnit::RequestView : public QueueRequests<CommandQueue> {
 public:
  explicit RequestView(const SdramUnit& unit)
      : QueueRequests(unit.due(unit.description_.pipeline_latency), unit.queues_.data()),
        last_bank_(unit.last_bank_) {}
  [[nodiscard]] unsigned last_bank() const { return last_bank_; }

 private:
  unsigned last_bank_;
};

std::optional<unsigned> SdramUnit::next_of_chain(std::uint64_t queues) const {
  if (!chained_)
    return std::nullopt;
  for (unsigned queue = 0; queue < kQueues; ++queue)
    if ((queues >> queue & 1) != 0 && queues_[queue].front().command.thread.engine == *chained_)
      return queue;
  return std::nullopt;
}

unsigned SdramUnit::choose(const RequestView& requests) {
  if (const auto queue = next_of_chain(requests.asking()))
    return *queue;
  const unsigned queue = arbiter_.choose(requests);
  arbiter_.served(requests, queue);
  return queue;
}

void SdramUnit::decide() {
  begin_decision();
  if (const RequestView requests(*this); requests.asking() != 0)
    take_first(choose(requests), [this](const Command& command) { serve(command); });
  schedule();
}

// The next cycle, in step with the unit's own clock, in which there can be something to choose.
void SdramUnit::schedule() {
  const Cycle arrival = earliest_arrival();
  next_decision_ =
      next_tick(arrival == Cycle::never() ? arrival : arrival + description_.pipeline_latency, 0);
}

// Takes the bus as soon as the bank allows; a refresh that is due goes first.
void SdramUnit::transfer_data(const Command& command, Direction direction) {
  const Cycles data =
      description_.reference_occupancy + data_cycles(description_, kQuadword * command.count);
  if (!holds_bus(command))
    return occupy(command, now_, now_, data);
  const Cycle turned = tick(bus_free_) + (direction_ != direction ? description_.turn_around : 0);
  direction_ = direction;
  last_bank_ = bank_of(command.address);
  const auto access = direction == Direction::kRead ? SdramCommand::kRead : SdramCommand::kWrite;
  Cycle start = timing_.earliest_access(access, last_bank_, now_);
  while (next_refresh_ <= start) {
    timing_.refresh(next_refresh_);
    next_refresh_ = next_refresh_ + description_.refresh_period;
    start = timing_.earliest_access(access, last_bank_, now_);
  }
  // A bus that waited for the bank, or was idle, has turned around meanwhile.
  occupy(command, tick(arrival_ + description_.pipeline_latency), start,
         (turned > start ? turned - start : 0) + data);
  timing_.access(access, last_bank_, start, bus_free_);
}

void SdramUnit::serve(const Command& command) {
  using isa::Operation;
  Burst burst;
  const std::span longwords(burst.data(), 2u * command.count);
  const bool to_chip =
      command.operation == Operation::kSdramRead || command.operation == Operation::kSdramTFifoWr;
  transfer_data(command, to_chip ? Direction::kRead : Direction::kWrite);
  chained_.reset();
  if (has_token(command, isa::Token::kChainRef))
    chained_ = command.thread.engine;
  const Cycle done =
      data_end_ + (to_chip ? description_.push_latency : description_.write_completion);
  std::span<const std::uint32_t> to_thread;
  switch (command.operation) {
    case Operation::kSdramRead:
      load(command.address, longwords);
      to_thread = longwords;
      if (read_watch_ != nullptr && command.issuer == Issuer::kEngine)
        read_watch_->read(command.address, done);
      break;
    case Operation::kSdramWrite:
      if (is_line(command))
        break;
      connections_.threads->pull(command.thread, command.transfer, longwords, now_);
      if (command.byte_mask == kAllBytes)
        store(command.address, longwords);
      else
        store_bytes(storage_, command, longwords);
      break;
    case Operation::kSdramRFifoRd:
      fifos_->read_receive_fifo(command.second_address, command.address, longwords, now_);
      store(command.address, longwords);
      break;
    case Operation::kSdramTFifoWr:
      load(command.address, longwords);
      fifos_->write_transmit_fifo(command.second_address, command.address, longwords, now_);
      break;
    default: assert(false && "a command that the SDRAM unit does not know");
  }
  complete(command, to_thread, 2u * command.count, done);
}

void SdramUnit::hash(StateHash& hash) const {
  hash_common(hash);
  hash.add(last_bank_);
  hash.add(static_cast<std::uint64_t>(direction_));
  hash.add(chained_ ? chained_->index() + 1 : 0);
  timing_.hash(hash);
  hash.add(next_refresh_);
  hash_queues(hash);
  arbiter_.hash(hash);
}

}  // namespace nplab::simulator
