#include "simulator/command_bus.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "simulator/command_text.h"
#include "simulator/state_hash.h"

namespace nplab::simulator {

CommandBus::CommandBus(const ChipDescription& chip)
    : description_(chip.command_bus),
      fifos_(chip.engine.engines, FixedQueue<Command>(chip.engine.command_fifo_entries)),
      order_(chip.engine.engines) {
  std::iota(order_.begin(), order_.end(), 0);
}

void CommandBus::connect(const Units& units) {
  const auto of = [this](isa::Unit unit) -> UnitQueue*& { return units_[static_cast<unsigned>(unit)]; };
  of(isa::Unit::kSram) = units.sram;
  of(isa::Unit::kSdram) = units.sdram;
  of(isa::Unit::kScratch) = units.scratch;
  of(isa::Unit::kNone) = units.fbi;  // fast_wr
  of(isa::Unit::kFbi) = units.fbi;
  of(isa::Unit::kHash) = units.fbi;
}

Cycle CommandBus::full_before(EngineId engine) const {
  const Command& front = fifos_[engine.index()].front();
  return std::max({now_, free_at_, front.issued + 1, unit_of(front).full_before(front)}) + 1;
}

void CommandBus::push(const Command& command) {
  const unsigned engine = command.thread.engine.index();
  fifos_[engine].push(command);
  occupied_ |= std::uint64_t{1} << engine;
}

// Engines may be ahead of the bus: what they issue later is not there yet.
bool CommandBus::has_command(unsigned engine) const {
  return !fifos_[engine].empty() && fifos_[engine].front().issued <= now_;
}

void CommandBus::grant(unsigned engine) {
  FixedQueue<Command>& fifo = fifos_[engine];
  const Command& command = fifo.front();
  if (observer_ != nullptr) observer_->granted(command, now_);
  unit_of(command).deliver(command, now_ + description_.latency);
  free_at_ = now_ + description_.cycles_per_command;
  chained_ = has_token(command, isa::Token::kChainRef);
  const auto place = std::find(order_.begin(), order_.end(), engine);
  if (chained_) std::rotate(order_.begin(), place, place + 1);
  else std::rotate(place, place + 1, order_.end());
  ++grants_;
  fifo.drop();
  if (fifo.empty()) occupied_ &= ~(std::uint64_t{1} << engine);
}

// Grants in cycle now_ what can be granted, and gives the first cycle in which more may be.
Cycle CommandBus::arbitrate() {
  // A chain that its engine does not go on with ends.
  const unsigned first = order_.front();
  const std::uint64_t claims = chained_ && has_command(first) ? std::uint64_t{1} << first : occupied_;
  Cycle chance = Cycle::never();
  for (const unsigned engine : order_) {
    if ((claims >> engine & 1) == 0) continue;
    const Command& command = fifos_[engine].front();
    if (command.issued >= now_) {
      chance = std::min(chance, command.issued + 1);
    } else if (UnitQueue& unit = unit_of(command); unit.has_room(command, now_)) {
      grant(engine);
      return free_at_;
    } else {
      chance = std::min(chance, std::max(now_ + 1, unit.full_before(command)));
    }
  }
  return chance;
}

void CommandBus::arbitrate_until(Cycle horizon) {
  now_ = std::max(now_, free_at_);
  while (occupied_ != 0 && now_ < horizon) now_ = arbitrate();
  now_ = horizon;
}

void CommandBus::describe_waiting(std::vector<std::string>& lines) const {
  for (std::size_t engine = 0; engine < fifos_.size(); ++engine)
    for (std::size_t i = 0; i < fifos_[engine].size(); ++i)
      lines.push_back("command FIFO of engine " + std::to_string(engine) + ": " + to_text(fifos_[engine].at(i)));
}

void CommandBus::hash(StateHash& hash) const {
  hash.add(now_);
  hash.add(free_at_);
  hash.add_all(order_);
  hash.add(chained_);
  hash.add(grants_);
  for (const FixedQueue<Command>& fifo : fifos_) {
    hash.add(fifo.size());
    for (std::size_t i = 0; i < fifo.size(); ++i) add_to(hash, fifo.at(i));
  }
}

}  // namespace nplab::simulator
