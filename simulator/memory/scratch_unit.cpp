#include "simulator/memory/scratch_unit.h"

#include <algorithm>
#include <cassert>

#include "simulator/base/command_text.h"
#include "simulator/memory/bit_operation.h"

namespace nplab::simulator {

ScratchUnit::ScratchUnit(const ScratchDescription& description)
    : MemoryUnit(description.bytes, 1, description.pipeline_latency,
                 description.bus_cycles +
                     std::min(description.push_latency, description.write_completion)),
      description_(description),
      queue_(description.queue) {}

bool ScratchUnit::has_room(const Command&, Cycle at) {
  run(at);
  return !queue_.full();
}

Cycle ScratchUnit::full_before(const Command&) const {
  return queue_.full() ? next_decision_ + 1 : Cycle();
}

UnitQueue::Refusal ScratchUnit::refusal(const Command&) const {
  return {StallCause::kScratchQueue, next_decision_ + 1};
}

void ScratchUnit::deliver(const Command& command, Cycle at) {
  if (!check_address(command, 4u * command.count, 4, at))
    return;
  queue_.push({command, at});
  statistics_.queued(static_cast<unsigned>(queue_.size()));
  if (queue_.size() == 1)
    schedule();  // behind others it changes nothing yet
}

void ScratchUnit::decide() {
  begin_decision();
  serve(queue_.front().command);
  queue_.drop();
  schedule();
}

void ScratchUnit::schedule() {
  const Cycle due =
      queue_.empty() ? Cycle::never() : queue_.front().arrival + description_.pipeline_latency;
  next_decision_ = next_tick(due, 0);
}

void ScratchUnit::serve(const Command& command) {
  using isa::Operation;
  Burst burst;
  const std::span longwords(burst.data(), command.count);
  switch (command.operation) {
    case Operation::kScratchRead: {
      load(command.address, longwords);
      occupy(now_, data_cycles(description_, 4u * command.count));
      return complete(command, longwords, command.count, bus_free_ + description_.push_latency);
    }
    case Operation::kScratchWrite:
      connections_.threads->pull(command.thread, command.transfer, longwords, now_);
      store(command.address, longwords);
      occupy(now_, data_cycles(description_, 4u * command.count));
      return complete(command, command.count, bus_free_ + description_.write_completion);
    case Operation::kScratchIncr:
      storage_.write(command.address, storage_.read(command.address) + 1);
      occupy(now_, data_cycles(description_, 4) + description_.modify_cycles);
      return complete(command, 1, bus_free_ + description_.write_completion);
    case Operation::kScratchBitWr: return modify_bits(command);
    default: assert(false && "a command that the scratch unit does not know");
  }
}

void ScratchUnit::modify_bits(const Command& command) {
  std::uint32_t mask = 0;
  connections_.threads->pull(command.thread, command.transfer, {&mask, 1}, now_);
  const std::uint32_t old = storage_.read(command.address);
  storage_.write(command.address, modified_bits(command, old, mask));
  occupy(now_, data_cycles(description_, 4) + description_.modify_cycles);
  complete(command, {&old, returns_old_value(command) ? 1u : 0u}, 1,
           bus_free_ + description_.push_latency);
}

QueuedReferences ScratchUnit::queued_references() const {
  QueuedReferences queued;
  count_queue(queued, queue_);
  return queued;
}

void ScratchUnit::describe_waiting(std::vector<std::string>& lines) const {
  for (std::size_t i = 0; i < queue_.size(); ++i)
    describe_queue(lines, "scratch queue", queue_.at(i).command);
}

void ScratchUnit::hash(StateHash& hash) const {
  hash_common(hash);
  hash.add(queue_.size());
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    add_to(hash, queue_.at(i).command);
    hash.add(queue_.at(i).arrival);
  }
}

}  // namespace nplab::simulator
