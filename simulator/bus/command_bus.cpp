#include "simulator/bus/command_bus.h"

#include <algorithm>
#include <bit>

#include "simulator/base/command_text.h"
#include "simulator/base/state_hash.h"

namespace nplab::simulator {

CommandBus::CommandBus(const ChipDescription& chip, unsigned others)
    : description_(chip.command_bus),
      spread_(chip.latency_spread),
      fifos_(chip.engine.engines + others, FixedQueue<Command>(chip.engine.command_fifo_entries)),
      claims_(chip.engine.engines + others),
      held_(chip.engine.engines + others),
      arbiter_(chip.command_bus.arbitration, chip.engine.engines + others) {}

class CommandBus::RequestView {
 public:
  RequestView(const CommandBus& bus, std::uint64_t asking, Cycle at)
      : bus_(bus), asking_(asking), at_(at) {}

  [[nodiscard]] std::uint64_t asking() const { return asking_; }
  [[nodiscard]] Cycle since(unsigned engine) const { return bus_.claims_[engine].issued; }
  // Whether the oldest command of `engine` keeps the grant for the next.
  [[nodiscard]] bool begins_chain(unsigned engine) const {
    return has_token(bus_.fifos_[engine].front(), isa::Token::kChainRef);
  }
  [[nodiscard]] Cycle at() const { return at_; }

 private:
  const CommandBus& bus_;
  std::uint64_t asking_;
  Cycle at_;
};

UnitQueue* CommandBus::way_to(UnitQueue* unit) {
  if (!spread_ || unit == nullptr)
    return unit;
  const auto number = static_cast<unsigned>(spreads_.size());
  return spreads_.emplace_back(std::make_unique<LatencySpread>(*unit, *spread_, number)).get();
}

void CommandBus::connect(const Units& units) {
  const auto of = [this](isa::Unit unit) -> UnitQueue*& {
    return units_[static_cast<unsigned>(unit)];
  };
  of(isa::Unit::kSram) = way_to(units.sram);
  of(isa::Unit::kSdram) = way_to(units.sdram);
  of(isa::Unit::kScratch) = way_to(units.scratch);
  UnitQueue* const fbi = way_to(units.fbi);
  of(isa::Unit::kNone) = fbi;  // fast_wr
  of(isa::Unit::kFbi) = fbi;
  of(isa::Unit::kHash) = fbi;
}

Cycle CommandBus::full_before(EngineId engine) const {
  const Command& front = fifos_[engine.index()].front();
  return std::max({now_, free_at_, front.issued + 1, unit_of(front).full_before(front)}) + 1;
}

void CommandBus::make_claim(unsigned engine) {
  const Command& front = fifos_[engine].front();
  Claim& claim = claims_[engine];
  claim.unit = &unit_of(front);
  claim.issued = front.issued;
  claim.not_before = front.issued + 1;
}

void CommandBus::push(const Command& command) {
  const unsigned engine = command.thread.engine.index();
  fifos_[engine].push(command);
  if (fifos_[engine].size() > 1)
    return;
  make_claim(engine);
  occupied_ |= std::uint64_t{1} << engine;
}

void CommandBus::grant(unsigned engine, const RequestView& requests) {
  FixedQueue<Command>& fifo = fifos_[engine];
  const Command& command = fifo.front();
  if (observer_ != nullptr)
    observer_->granted(command, now_);
  claims_[engine].unit->deliver(command, now_ + description_.latency);
  free_at_ = now_ + description_.cycles_per_command;
  chained_ = has_token(command, isa::Token::kChainRef);
  chaining_ = engine;
  arbiter_.served(requests, engine);
  ++grants_;
  fifo.drop();
  if (fifo.empty())
    occupied_ &= ~(std::uint64_t{1} << engine);
  else
    make_claim(engine);
}

CommandBus::RequestView CommandBus::soonest() const {
  Cycle at = Cycle::never();
  std::uint64_t asking = 0;
  for (std::uint64_t left = occupied_; left != 0; left &= left - 1) {
    const auto engine = static_cast<unsigned>(std::countr_zero(left));
    const Cycle grant = earliest_grant(engine);
    if (grant > at)
      continue;
    asking = (grant == at ? asking : 0) | std::uint64_t{1} << engine;
    at = grant;
  }
  return {*this, asking, at};
}

// Engines may be ahead of the bus: a command that they issue later is not there yet. A chain ends
// if its engine has not continued it by the cycle of the next grant.
void CommandBus::arbitrate_until(Cycle horizon) {
  now_ = std::max(now_, free_at_);
  while (occupied_ != 0 && now_ < horizon) {
    const RequestView requests = soonest();
    const bool chain_goes_on =
        chained_ && (occupied_ >> chaining_ & 1) != 0 && claims_[chaining_].issued <= requests.at();
    const unsigned engine = chain_goes_on ? chaining_ : arbiter_.choose(requests);
    const Cycle at = earliest_grant(engine);
    if (at >= horizon)
      break;
    const Command& command = fifos_[engine].front();
    if (claims_[engine].unit->has_room(command, at)) {
      now_ = at;
      grant(engine, requests);
      now_ = free_at_;
    } else {
      refuse(engine, command, at);
    }
  }
  now_ = horizon;
}

Cycle CommandBus::earliest_arrival(Cycle issue) const {
  const Cycle grant = std::min(issue + 1, soonest().at());
  return std::max(grant, free_at_) + description_.latency;
}

void CommandBus::refuse(unsigned engine, const Command& command, Cycle at) {
  Claim& claim = claims_[engine];
  const auto [queue, until] = claim.unit->refusal(command);
  claim.not_before = std::max(at + 1, until);
  claim.refused_by = queue;
  const Held& held = held_[engine];
  const Cycle from = std::max(at, held.from);
  if (held.behind == claim.issued && claim.not_before > from)
    (*held.refused)[static_cast<unsigned>(claim.refused_by)] += claim.not_before - from;
}

void CommandBus::hold(EngineId engine, Cycle from, CyclesByStallCause& refused) {
  const Claim& claim = claims_[engine.index()];
  const Cycle bus_from(from.number() - 1);
  held_[engine.index()] = {claim.issued, bus_from, &refused};
  if (was_refused(claim) && claim.not_before > bus_from)
    refused[static_cast<unsigned>(claim.refused_by)] += claim.not_before - bus_from;
}

CommandSink::ChargedAhead CommandBus::charged_ahead(EngineId engine, Cycle end) const {
  const Claim& claim = claims_[engine.index()];
  const Cycle bus_end(end.number() - 1);
  const bool ahead = was_refused(claim) && claim.not_before > bus_end;
  return {claim.refused_by, ahead ? claim.not_before - bus_end : 0};
}

QueuedReferences CommandBus::queued_for(isa::Unit unit) const {
  QueuedReferences queued;
  for (const FixedQueue<Command>& fifo : fifos_)
    for (std::size_t i = 0; i < fifo.size(); ++i)
      if (fifo.at(i).unit == unit)
        queued.add(fifo.at(i));
  return queued;
}

void CommandBus::describe_waiting(std::vector<std::string>& lines) const {
  for (std::size_t engine = 0; engine < fifos_.size(); ++engine)
    for (std::size_t i = 0; i < fifos_[engine].size(); ++i)
      lines.push_back("command FIFO of engine " + std::to_string(engine) + ": " +
                      to_text(fifos_[engine].at(i)));
}

void CommandBus::hash(StateHash& hash) const {
  hash.add(now_);
  hash.add(free_at_);
  arbiter_.hash(hash);
  hash.add(chained_);
  hash.add(grants_);
  for (const auto& spread : spreads_)
    hash.add(spread->delivered());
  for (const FixedQueue<Command>& fifo : fifos_) {
    hash.add(fifo.size());
    for (std::size_t i = 0; i < fifo.size(); ++i)
      add_to(hash, fifo.at(i));
  }
}

}  // namespace nplab::simulator
