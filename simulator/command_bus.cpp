#include "simulator/command_bus.h"

#include <algorithm>
#include <cassert>

#include "simulator/command_text.h"
#include "simulator/state_hash.h"

namespace nplab::simulator {

CommandBus::CommandBus(const ChipDescription& chip)
    : description_(chip.command_bus),
      fifos_(chip.engine.engines, FixedQueue<Command>(chip.engine.command_fifo_entries)) {}

void CommandBus::connect(const Units& units) {
  units_ = units;
}

bool CommandBus::can_accept(EngineId engine, Cycle) const {
  return !fifos_[engine.index()].full();
}

void CommandBus::push(const Command& command) {
  const unsigned engine = command.thread.engine.index();
  fifos_[engine].push(command);
  peaks_[engine] = std::max(peaks_[engine], static_cast<unsigned>(fifos_[engine].size()));
  ++waiting_;
}

UnitQueue& CommandBus::unit_of(const Command& command) const {
  switch (command.unit) {
    case isa::Unit::kSram: return *units_.sram;
    case isa::Unit::kSdram: return *units_.sdram;
    case isa::Unit::kScratch: return *units_.scratch;
    case isa::Unit::kNone:  // fast_wr
    case isa::Unit::kFbi:
    case isa::Unit::kHash: return *units_.fbi;
    case isa::Unit::kPci: break;
  }
  assert(false && "a command for a unit that is not on the bus");
  return *units_.fbi;
}

bool CommandBus::can_grant(unsigned engine) const {
  const FixedQueue<Command>& fifo = fifos_[engine];
  if (fifo.empty() || fifo.front().issued >= now_) return false;
  return unit_of(fifo.front()).has_room(fifo.front(), now_);
}

void CommandBus::grant(unsigned engine) {
  const Command command = fifos_[engine].pop();
  unit_of(command).deliver(command, now_ + description_.latency);
  free_at_ = now_ + description_.cycles_per_command;
  chained_ = has_token(command, isa::Token::kChainRef);
  next_ = chained_ ? engine : (engine + 1) % fifos_.size();
  --waiting_;
  ++grants_;
}

void CommandBus::arbitrate() {
  unsigned engine = next_;
  // A chain that its engine does not go on with ends.
  const std::size_t claims = chained_ && !fifos_[next_].empty() ? 1 : fifos_.size();
  for (std::size_t i = 0; i < claims; ++i) {
    if (can_grant(engine)) {
      grant(engine);
      return;
    }
    engine = engine + 1 == fifos_.size() ? 0 : engine + 1;
  }
}

void CommandBus::run(Cycle horizon) {
  while (now_ < horizon) {
    if (waiting_ == 0) {
      now_ = horizon;
      return;
    }
    if (free_at_ <= now_) arbitrate();
    ++now_;
  }
}

void CommandBus::describe_waiting(std::vector<std::string>& lines) const {
  for (std::size_t engine = 0; engine < fifos_.size(); ++engine)
    for (std::size_t i = 0; i < fifos_[engine].size(); ++i)
      lines.push_back("command FIFO of engine " + std::to_string(engine) + ": " + to_text(fifos_[engine].at(i)));
}

void CommandBus::hash(StateHash& hash) const {
  hash.add(now_);
  hash.add(free_at_);
  hash.add(next_);
  hash.add(chained_);
  hash.add(grants_);
  for (const FixedQueue<Command>& fifo : fifos_) {
    hash.add(fifo.size());
    for (std::size_t i = 0; i < fifo.size(); ++i) add_to(hash, fifo.at(i));
  }
}

}  // namespace nplab::simulator
