#include "simulator/memory/scratch_unit.h"

#include <algorithm>
#include <cassert>

#include "simulator/memory/bit_operation.h"

namespace nplab::simulator {

ScratchUnit::ScratchUnit(const ScratchDescription& description)
    : QueuedUnit(description.bytes,
                 {.period = 1,
                  .least_wait = description.pipeline_latency,
                  .least_service = description.bus_cycles + std::min(description.push_latency,
                                                                     description.write_completion)},
                 description.queues),
      description_(description) {}

Cycles ScratchUnit::occupancy(const Command& command) const {
  using isa::Operation;
  const bool modifies =
      command.operation == Operation::kScratchIncr || command.operation == Operation::kScratchBitWr;
  return modifies ? data_cycles(description_, 4) + description_.modify_cycles
                  : data_cycles(description_, 4u * command.count);
}

// It waits in its queue until the processor starts on it.
void ScratchUnit::deliver(const Command& command, Cycle at) {
  if (!check_address(command, 4u * command.count, 4, at))
    return;
  const Cycle undelayed = at + description_.pipeline_latency;
  const Cycle begin =
      holds_bus(command) ? processor_->begin(undelayed, occupancy(command)) : undelayed;
  statistics_.delayed(begin - undelayed);
  enqueue(command, begin);
}

void ScratchUnit::decide() {
  begin_decision();
  take_first(0, [this](const Command& command) { serve(command); });
  schedule();
}

void ScratchUnit::schedule() {
  next_decision_ = next_tick(earliest_arrival(), 0);
}

void ScratchUnit::serve(const Command& command) {
  using isa::Operation;
  occupy(command, arrival_, now_, occupancy(command));
  Burst burst;
  const std::span longwords(burst.data(), command.count);
  switch (command.operation) {
    case Operation::kScratchRead:
      load(command.address, longwords);
      return complete(command, longwords, command.count, data_end_ + description_.push_latency);
    case Operation::kScratchWrite:
      if (!is_line(command)) {
        connections_.threads->pull(command.thread, command.transfer, longwords, now_);
        store(command.address, longwords);
      }
      return complete(command, command.count, data_end_ + description_.write_completion);
    case Operation::kScratchIncr:
      storage_.write(command.address, storage_.read(command.address) + 1);
      return complete(command, 1, data_end_ + description_.push_latency);
    case Operation::kScratchBitWr: return modify_bits(command);
    default: assert(false && "a command that the scratch unit does not know");
  }
}

void ScratchUnit::modify_bits(const Command& command) {
  SentLongwords sent{};
  connections_.threads->pull(command.thread, command.transfer, sent_longwords(command, sent), now_);
  const std::uint32_t old = storage_.read(command.address);
  storage_.write(command.address, modified_bits(command, old, sent));
  complete(command, {&old, returns_old_value(command) ? 1u : 0u}, 1,
           data_end_ + description_.push_latency);
}

void ScratchUnit::hash(StateHash& hash) const {
  hash_common(hash);
  hash_queues(hash);
  if (is_behind_cache())
    hash.add(own_processor_.free_from());
}

}  // namespace nplab::simulator
