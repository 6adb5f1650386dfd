#include "simulator/memory/sdram_unit.h"

#include <algorithm>

#include "simulator/memory/reference_effect.h"

namespace nplab::simulator {

SdramUnit::SdramUnit(const SdramDescription& description)
    : SdramQueues(description, {.period = description.bus_cycles,
                                .least_wait = description.pipeline_latency,
                                .least_service = description.bus_cycles +
                                                 std::min(description.push_latency,
                                                          description.write_completion)}),
      description_(description),
      timing_(description) {
  if (description.refresh_period != 0)
    next_refresh_ = Cycle(description.refresh_period);
}

void SdramUnit::decide() {
  begin_decision();
  if (const std::uint64_t asking = due(description_.pipeline_latency); asking != 0)
    take_first(choose(asking), [this](const Command& command) { serve(command); });
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
  note_served(command);
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
  Burst burst;
  const bool to_chip = is_read(command);
  transfer_data(command, to_chip ? Direction::kRead : Direction::kWrite);
  note_chain(command);
  const Cycle done =
      data_end_ + (to_chip ? description_.push_latency : description_.write_completion);
  const auto to_thread = move_data(command, std::span(burst.data(), 2u * command.count), now_);
  if (command.issuer == Issuer::kEngine)
    note_read(command, done);
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
