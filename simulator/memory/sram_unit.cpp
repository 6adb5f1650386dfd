#include "simulator/memory/sram_unit.h"

#include <algorithm>
#include <cassert>

#include "simulator/base/command_text.h"
#include "simulator/memory/bit_operation.h"

namespace nplab::simulator {
namespace {

Cycles round_up(Cycles cycles, Cycles multiple) {
  return (cycles + multiple - 1) / multiple * multiple;
}

// An unlock does not pass the bus.
enum class Passage { kNone, kBus };
Cycles least_service(const SramDescription& description, Passage passage) {
  const Cycles on_bus = description.pipeline_latency + description.bus_cycles +
                        std::min(description.push_latency, description.write_completion);
  return passage == Passage::kBus ? on_bus : std::min<Cycles>(on_bus, description.write_completion);
}

}  // namespace

SramUnit::SramUnit(const SramDescription& description)
    : MemoryUnit(description.bytes, description.bus_cycles, 0,
                 least_service(description, Passage::kNone)),
      description_(description),
      lead_(round_up(description.pipeline_latency, description.bus_cycles)),
      priority_(description.priority_queue),
      read_(description.read_queue),
      order_(description.order_queue),
      lock_failed_(description.lock_fail_queue),
      free_lists_(description.free_lists, 0) {
  locks_.reserve(description.locks);
  least_.queued_service = least_service(description, Passage::kBus);
}

void SramUnit::expect(const CommandKinds& kinds) {
  least_.service = least_service(description_, kinds.sram_unlock ? Passage::kNone : Passage::kBus);
}

const SramUnit::Queue& SramUnit::queue_of(const Command& command) const {
  if (has_token(command, isa::Token::kPriority))
    return priority_;
  if (command.operation == isa::Operation::kSramRead &&
      has_token(command, isa::Token::kOptimizeMem))
    return read_;
  return order_;
}

SramUnit::Queue& SramUnit::queue_of(const Command& command) {
  return const_cast<Queue&>(static_cast<const SramUnit*>(this)->queue_of(command));
}

unsigned SramUnit::waiting() const {
  return in_queues_ + static_cast<unsigned>(lock_failed_.size());
}

// Failed locks do not count: what frees them must always find room.
bool SramUnit::is_full_for(const Command& command) const {
  if (description_.effective_capacity != 0 && in_queues_ >= description_.effective_capacity)
    return true;
  return queue_of(command).full();
}

bool SramUnit::has_room(const Command& command, Cycle at) {
  run(at);
  return !is_full_for(command);
}

Cycle SramUnit::full_before(const Command& command) const {
  return is_full_for(command) ? next_decision_ + 1 : Cycle();
}

UnitQueue::Refusal SramUnit::refusal(const Command& command) const {
  const Queue& queue = queue_of(command);
  const Cycle until = next_decision_ + 1;
  if (!queue.full())
    return {StallCause::kSramCapacity, until};
  if (&queue == &priority_)
    return {StallCause::kSramPriorityQueue, until};
  return {&queue == &read_ ? StallCause::kSramReadQueue : StallCause::kSramOrderQueue, until};
}

void SramUnit::deliver(const Command& command, Cycle at) {
  const bool addressed = command.operation != isa::Operation::kSramPop;
  const bool burst = command.operation != isa::Operation::kSramPush;
  if (addressed && !check_address(command, burst ? 4u * command.count : 4u, 4, at))
    return;
  if (!burst || !addressed) {
    if (command.count > description_.free_lists) {
      fault(command, Fault::Kind::kIllegalReference, "names a free list that does not exist", at);
      return;
    }
  }
  Queue& queue = queue_of(command);
  queue.push({command, at});
  ++in_queues_;
  if (command.operation == isa::Operation::kSramUnlock)
    count_unlocks(1);
  statistics_.queued(waiting());
  if (queue.size() == 1)
    schedule();  // behind others it changes nothing yet
}

bool SramUnit::due(const Queue& queue) const {
  return !queue.empty() && queue.front().arrival <= now_;
}

bool SramUnit::serve_unlocked() {
  if (locks_.size() == description_.locks)
    return false;
  for (std::size_t i = 0; i < lock_failed_.size(); ++i) {
    if (locked(lock_failed_.at(i).command.address))
      continue;
    serve(lock_failed_.take(i).command);
    return true;
  }
  return false;
}

SramUnit::Queue* SramUnit::choose() {
  if (due(priority_))
    return &priority_;
  if (due(read_) && (reads_in_row_ < description_.read_group || !due(order_)))
    return &read_;
  return due(order_) ? &order_ : nullptr;
}

void SramUnit::decide() {
  begin_decision();
  if (lock_failed_.empty() || !serve_unlocked()) {
    if (Queue* queue = choose()) {
      reads_in_row_ = queue == &read_ ? reads_in_row_ + 1 : 0;
      --in_queues_;
      serve(queue->front().command);
      queue->drop();
    }
  }
  schedule();
}

// The next cycle, in step with the unit's own clock, in which there can be something to choose.
void SramUnit::schedule() {
  Cycle due = lock_failed_.empty() ? Cycle::never() : undecided_;
  const auto look_at = [&due](const Queue& queue) {
    if (!queue.empty())
      due = std::min(due, queue.front().arrival);
  };
  look_at(priority_);
  look_at(read_);
  look_at(order_);
  next_decision_ = next_tick(due, lead_);
}

void SramUnit::serve(const Command& command) {
  using isa::Operation;
  switch (command.operation) {
    case Operation::kSramRead: return read(command);
    case Operation::kSramReadLock: return read_lock(command);
    case Operation::kSramWrite:
    case Operation::kSramWriteUnlock:
      write(command);
      if (command.operation == Operation::kSramWriteUnlock ||
          has_token(command, isa::Token::kUnlock))
        release(command.address);
      return;
    case Operation::kSramUnlock: return unlock(command);
    case Operation::kSramBitWr: return modify_bits(command);
    case Operation::kSramPush: return push_block(command);
    case Operation::kSramPop: return pop_block(command);
    default: assert(false && "a command that the SRAM unit does not know");
  }
}

Cycles SramUnit::turn(Direction direction) {
  const bool turns = direction_ != direction;
  direction_ = direction;
  return turns ? description_.turn_around : 0;
}

Cycle SramUnit::bus_start() const {
  return std::max(now_ + lead_, tick(bus_free_));
}

void SramUnit::read(const Command& command) {
  Burst burst;
  const std::span longwords(burst.data(), command.count);
  load(command.address, longwords);
  const Cycles data = data_cycles(description_, 4u * command.count);
  occupy(bus_start(), turn(Direction::kRead) + description_.read_occupancy + data);
  complete(command, longwords, command.count, bus_free_ + description_.push_latency);
}

void SramUnit::write(const Command& command) {
  Burst burst;
  const std::span longwords(burst.data(), command.count);
  connections_.threads->pull(command.thread, command.transfer, longwords, now_);
  store(command.address, longwords);
  const Cycles data = data_cycles(description_, 4u * command.count);
  occupy(bus_start(), turn(Direction::kWrite) + description_.write_occupancy + data);
  complete(command, command.count, bus_free_ + description_.write_completion);
}

bool SramUnit::locked(std::uint32_t address) const {
  return std::find(locks_.begin(), locks_.end(), address) != locks_.end();
}

void SramUnit::release(std::uint32_t address) {
  const auto lock = std::find(locks_.begin(), locks_.end(), address);
  if (lock != locks_.end())
    locks_.erase(lock);
}

void SramUnit::read_lock(const Command& command) {
  if (!locked(command.address) && locks_.size() < description_.locks) {
    locks_.push_back(command.address);
    return read(command);
  }
  // The CAM is asked before the bus: a failed lock costs no bus time.
  if (lock_failed_.full())
    return fault(command, Fault::Kind::kQueueOverrun, "overran the lock-fail queue", now_);
  lock_failed_.push({command, now_});
}

// Takes no bus time, but keeps its place behind what was chosen before.
void SramUnit::count_unlocks(int more) {
  queued_unlocks_ += static_cast<unsigned>(more);
  least_.queued_service =
      least_service(description_, queued_unlocks_ == 0 ? Passage::kBus : Passage::kNone);
}

void SramUnit::unlock(const Command& command) {
  count_unlocks(-1);
  release(command.address);
  complete(command, 0, bus_start() + description_.write_completion);
}

// The old value is read, the new one written: the bus turns twice.
void SramUnit::modify_bits(const Command& command) {
  std::uint32_t mask = 0;
  connections_.threads->pull(command.thread, command.transfer, {&mask, 1}, now_);
  const std::uint32_t old = storage_.read(command.address);
  storage_.write(command.address, modified_bits(command, old, mask));
  const Cycles read_half =
      turn(Direction::kRead) + description_.read_occupancy + data_cycles(description_, 4);
  const Cycles write_half =
      turn(Direction::kWrite) + description_.write_occupancy + data_cycles(description_, 4);
  occupy(bus_start(), read_half + write_half);
  complete(command, {&old, returns_old_value(command) ? 1u : 0u}, 2,
           bus_free_ + description_.push_latency);
}

void SramUnit::push_block(const Command& command) {
  std::uint32_t& head = free_lists_[command.count - 1];
  storage_.write(command.address, head);
  head = command.address;
  occupy(bus_start(),
         turn(Direction::kWrite) + description_.write_occupancy + data_cycles(description_, 4));
  complete(command, 1, bus_free_ + description_.write_completion);
}

void SramUnit::pop_block(const Command& command) {
  std::uint32_t& head = free_lists_[command.count - 1];
  const std::uint32_t block = head;
  if (block != 0 && (block % 4 != 0 || !storage_.holds(block, 4)))
    return fault(command, Fault::Kind::kIllegalReference,
                 "found a free list that leads out of the memory", now_);
  if (block != 0)
    head = storage_.read(block);
  occupy(bus_start(),
         turn(Direction::kRead) + description_.read_occupancy + data_cycles(description_, 4));
  complete(command, {&block, 1}, 1, bus_free_ + description_.push_latency);
}

QueuedReferences SramUnit::queued_references() const {
  QueuedReferences queued;
  for (const Queue* queue : {&priority_, &read_, &order_, &lock_failed_})
    count_queue(queued, *queue);
  return queued;
}

void SramUnit::describe_waiting(std::vector<std::string>& lines) const {
  const auto describe = [&lines](const Queue& queue, const char* name) {
    for (std::size_t i = 0; i < queue.size(); ++i)
      describe_queue(lines, name, queue.at(i).command);
  };
  describe(priority_, "SRAM priority queue");
  describe(read_, "SRAM read queue");
  describe(order_, "SRAM order queue");
  describe(lock_failed_, "SRAM lock-fail queue");
}

void SramUnit::hash(StateHash& hash) const {
  hash_common(hash);
  hash.add(reads_in_row_);
  hash.add(static_cast<std::uint64_t>(direction_));
  for (const Queue* queue : {&priority_, &read_, &order_, &lock_failed_}) {
    hash.add(queue->size());
    for (std::size_t i = 0; i < queue->size(); ++i) {
      add_to(hash, queue->at(i).command);
      hash.add(queue->at(i).arrival);
    }
  }
  hash.add_all(locks_);
  hash.add_all(free_lists_);
}

}  // namespace nplab::simulator
