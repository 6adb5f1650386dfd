#include "simulator/memory/sdram_unit.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "simulator/base/command_text.h"

namespace nplab::simulator {
namespace {

constexpr std::uint32_t kQuadword = 8;  // bytes
constexpr std::uint8_t kAllBytes = 0xff;

}  // namespace

SdramUnit::SdramUnit(const SdramDescription& description)
    : MemoryUnit(description.bytes, description.bus_cycles, description.pipeline_latency,
                 description.bus_cycles +
                     std::min(description.push_latency, description.write_completion)),
      description_(description),
      priority_(description.priority_queue),
      banks_{Queue(description.even_queue), Queue(description.odd_queue)},
      order_(description.order_queue) {
  if (description.refresh_period != 0)
    next_refresh_ = Cycle(description.refresh_period);
}

const SdramUnit::Queue& SdramUnit::queue_of(const Command& command) const {
  if (has_token(command, isa::Token::kPriority))
    return priority_;
  if (has_token(command, isa::Token::kOptimizeMem))
    return banks_[bank_of(command.address)];
  return order_;
}

bool SdramUnit::is_full_for(const Command& command) const {
  if (description_.effective_capacity != 0 && waiting_ >= description_.effective_capacity)
    return true;
  return queue_of(command).full();
}

bool SdramUnit::has_room(const Command& command, Cycle at) {
  run(at);
  return !is_full_for(command);
}

Cycle SdramUnit::full_before(const Command& command) const {
  return is_full_for(command) ? next_decision_ + 1 : Cycle();
}

UnitQueue::Refusal SdramUnit::refusal(const Command& command) const {
  const Queue& queue = queue_of(command);
  const Cycle until = next_decision_ + 1;
  if (!queue.full())
    return {StallCause::kSdramCapacity, until};
  if (&queue == &priority_)
    return {StallCause::kSdramPriorityQueue, until};
  if (&queue == &order_)
    return {StallCause::kSdramOrderQueue, until};
  return {&queue == &banks_[0] ? StallCause::kSdramEvenQueue : StallCause::kSdramOddQueue, until};
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
  Queue& queue = const_cast<Queue&>(queue_of(command));
  queue.push({command, at});
  statistics_.queued(++waiting_);
  if (queue.size() == 1)
    schedule();  // behind others it changes nothing yet
}

bool SdramUnit::due(const Queue& queue) const {
  return !queue.empty() && queue.front().arrival + description_.pipeline_latency <= now_;
}

SdramUnit::Queue* SdramUnit::next_of_chain() {
  if (!chained_)
    return nullptr;
  for (Queue* queue : {&priority_, &banks_[0], &banks_[1], &order_})
    if (due(*queue) && queue->front().command.thread.engine == *chained_)
      return queue;
  return nullptr;
}

SdramUnit::Queue* SdramUnit::choose() {
  if (Queue* queue = next_of_chain())
    return queue;
  const unsigned opposite = 1 - last_bank_;
  for (Queue* queue : {&priority_, &banks_[opposite], &order_, &banks_[last_bank_]})
    if (due(*queue))
      return queue;
  return nullptr;
}

void SdramUnit::decide() {
  begin_decision();
  if (Queue* queue = choose()) {
    --waiting_;
    serve(queue->front().command);
    queue->drop();
  }
  schedule();
}

// The next cycle, in step with the unit's own clock, in which there can be something to choose.
void SdramUnit::schedule() {
  Cycle due = Cycle::never();
  for (const Queue* queue : {&priority_, &banks_[0], &banks_[1], &order_})
    if (!queue->empty())
      due = std::min(due, queue->front().arrival + description_.pipeline_latency);
  next_decision_ = next_tick(due, 0);
}

Cycle SdramUnit::earliest_start(unsigned bank) const {
  return std::max({now_, ready_[bank], next_activation_});
}

// Of all banks, once they are closed.
void SdramUnit::refresh() {
  const Cycle end = std::max({next_refresh_, closed_[0], closed_[1]}) + description_.refresh_cycles;
  for (unsigned bank = 0; bank < 2; ++bank) {
    closed_[bank] = end;
    ready_[bank] = std::max(ready_[bank], end + description_.t_rcd);
  }
  next_refresh_ = next_refresh_ + description_.refresh_period;
}

// The row is activated tRCD before the bus is taken.
void SdramUnit::transfer_data(const Command& command, Direction direction) {
  const Cycles turn = direction_ != direction ? description_.turn_around : 0;
  direction_ = direction;
  last_bank_ = bank_of(command.address);
  Cycle start = earliest_start(last_bank_);
  for (; next_refresh_ <= start; start = earliest_start(last_bank_))
    refresh();
  occupy(start, turn + description_.reference_occupancy +
                    data_cycles(description_, kQuadword * command.count));
  const Cycle precharge = std::max(bus_free_, start + (description_.t_ras - description_.t_rcd));
  closed_[last_bank_] = precharge + description_.t_rp;
  ready_[last_bank_] =
      std::max(closed_[last_bank_] + description_.t_rcd, start + description_.t_rc);
  next_activation_ = start + description_.t_rrd;
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
      bus_free_ + (to_chip ? description_.push_latency : description_.write_completion);
  std::span<const std::uint32_t> to_thread;
  switch (command.operation) {
    case Operation::kSdramRead:
      load(command.address, longwords);
      to_thread = longwords;
      break;
    case Operation::kSdramWrite:
      connections_.threads->pull(command.thread, command.transfer, longwords, now_);
      if (command.byte_mask == kAllBytes)
        store(command.address, longwords);
      else
        store_bytes(command, longwords);
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

// The bytes of each quadword that the command's mask names.
void SdramUnit::store_bytes(const Command& command, std::span<const std::uint32_t> longwords) {
  std::uint32_t masks[2]{};
  for (unsigned byte = 0; byte < kQuadword; ++byte)
    if ((command.byte_mask << byte & 0x80) != 0)
      masks[byte / 4] |= 0xff000000u >> 8 * (byte % 4);
  for (unsigned i = 0; i < longwords.size(); ++i) {
    const std::uint32_t address = command.address + 4 * i;
    const std::uint32_t mask = masks[i % 2];
    storage_.write(address, (storage_.read(address) & ~mask) | (longwords[i] & mask));
  }
}

QueuedReferences SdramUnit::queued_references() const {
  QueuedReferences queued;
  for (const Queue* queue : {&priority_, &banks_[0], &banks_[1], &order_})
    count_queue(queued, *queue);
  return queued;
}

void SdramUnit::describe_waiting(std::vector<std::string>& lines) const {
  const auto describe = [&lines](const Queue& queue, const char* name) {
    for (std::size_t i = 0; i < queue.size(); ++i)
      describe_queue(lines, name, queue.at(i).command);
  };
  describe(priority_, "SDRAM priority queue");
  describe(banks_[0], "SDRAM even-bank queue");
  describe(banks_[1], "SDRAM odd-bank queue");
  describe(order_, "SDRAM order queue");
}

void SdramUnit::hash(StateHash& hash) const {
  hash_common(hash);
  hash.add(last_bank_);
  hash.add(static_cast<std::uint64_t>(direction_));
  hash.add(chained_ ? chained_->index() + 1 : 0);
  for (const auto& cycles : {closed_, ready_})
    for (const Cycle cycle : cycles)
      hash.add(cycle);
  hash.add(next_activation_);
  hash.add(next_refresh_);
  for (const Queue* queue : {&priority_, &banks_[0], &banks_[1], &order_}) {
    hash.add(queue->size());
    for (std::size_t i = 0; i < queue->size(); ++i) {
      add_to(hash, queue->at(i).command);
      hash.add(queue->at(i).arrival);
    }
  }
}

}  // namespace nplab::simulator
