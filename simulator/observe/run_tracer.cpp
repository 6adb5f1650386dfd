#include "simulator/observe/run_tracer.h"

#include <algorithm>
#include <bit>
#include <string>

namespace nplab::simulator {
namespace {

// References granted this long before the range are not followed: few are under way for so long.
constexpr Cycles kFollowedBefore = 1 << 14;

std::uint64_t key_of(const Command& command) {
  return command.issued.number() * kMostEngines + command.thread.engine.index();
}

ContextState state_of(EngineSnapshot::Context state) {
  switch (state) {
    case EngineSnapshot::Context::kOff: return ContextState::kOff;
    case EngineSnapshot::Context::kReady: return ContextState::kReady;
    case EngineSnapshot::Context::kWaiting: return ContextState::kWaiting;
    case EngineSnapshot::Context::kRunning: break;
  }
  return ContextState::kExecuting;
}

}  // namespace

RunTracer::RunTracer(const Observation& observation, const Watched& watched)
    : range_{observation.from, observation.to},
      later_(observation.later.rbegin(), observation.later.rend()),
      observer_(*observation.observer),
      watched_(watched),
      queues_(watched.chip, watched.parts, watched.fbi),
      engines_(watched.parts.engines.size()) {
  chip_.queues = queues_.names();
  chip_.queue_entries = queues_.capacities();
  chip_.engines = watched.chip.engine.engines;
  chip_.contexts = watched.chip.engine.contexts;
  chip_.core_hz = watched.chip.clock.core_hz;
  chip_.match = watched.match;
  chip_.source = watched.source;
  chip_.buses = {"sram.bus", "sdram.bus", "scratch.bus"};
  buses_ = {
      {watched.parts.sram, false}, {watched.parts.sdram, false}, {watched.parts.scratch, false}};
  entries_.resize(chip_.queues.size());
  chip_.rings = watched.rings.size();
  ring_entries_.resize(chip_.rings);
  observe_references(this);
  watched_.tracker.set_verdict_sink(this);
  observer_.begin(chip_);
}

RunTracer::~RunTracer() {
  observe_references(nullptr);
  watched_.tracker.set_verdict_sink(watched_.verdicts);
}

void RunTracer::observe_references(ReferenceObserver* observer) {
  watched_.parts.command_bus->observe(observer);
  watched_.parts.sram->observe(observer);
  watched_.parts.sdram->observe(observer);
  watched_.parts.scratch->observe(observer);
  watched_.fbi.observe(observer);
}

WindowLimits RunTracer::limits(Cycle now) {
  const WindowLimits limits = watched_.control.limits(now);
  if (now < range_.from)
    return {std::min(limits.end, range_.from), std::min(limits.engines, range_.from)};
  if (!in_range(now))
    return limits;
  if (!began_)
    begin();
  return {now + 1, now + 1};
}

void RunTracer::begin() {
  began_ = true;
  for (std::size_t i = 0; i < engines_.size(); ++i) {
    engines_[i] = {};
    engines_[i].before = watched_.parts.engines[i]->snapshot();
  }
  std::fill(entries_.begin(), entries_.end(), 0);
  std::fill(ring_entries_.begin(), ring_entries_.end(), 0);
  for (UnitBus& bus : buses_)
    bus.taken = false;
  observer_.started();
}

bool RunTracer::finished(Cycle done) {
  const bool is_over = watched_.control.finished(done);
  if (began_ && !ended_) {
    look_at_cycle(Cycle(done.number() - 1));
    if (is_over || done >= range_.to)
      end_range(done, is_over);
  } else if (is_over && !ended_) {
    observer_.end(done);
  }
  return is_over;
}

void RunTracer::end_range(Cycle done, bool run_is_over) {
  if (run_is_over || later_.empty()) {
    ended_ = true;
    observer_.end(done);
    return;
  }
  observer_.paused(done);
  range_ = later_.back();
  later_.pop_back();
  began_ = false;
}

void RunTracer::look_at_cycle(Cycle at) {
  for (unsigned i = 0; i < engines_.size(); ++i)
    look_at_engine(i, at);
  look_at_queues(at);
  look_at_rings(at);
  look_at_buses(at);
  observer_.cycle_done(at);
}

// An engine without threads lags.
std::optional<EngineSlot> RunTracer::slot_of(unsigned number, const EngineSnapshot& after,
                                             Cycle at) const {
  const EngineSnapshot& before = engines_[number].before;
  const ThreadId thread(EngineId(number), after.context);
  const std::uint32_t word = before.contexts[after.context.index()].word;
  switch (slot_use(before, after)) {
    case SlotUse::kNothing: return std::nullopt;
    case SlotUse::kAborted: return EngineSlot{thread, at, ContextState::kAborted, before.shadow_of};
    case SlotUse::kStalled: return EngineSlot{thread, at, ContextState::kStalled, word};
    case SlotUse::kExecuted: break;
  }
  return EngineSlot{thread, at, ContextState::kExecuting, word};
}

void RunTracer::look_at_engine(unsigned number, Cycle at) {
  Engine& engine = engines_[number];
  const EngineSnapshot after = watched_.parts.engines[number]->snapshot();
  const auto slot = slot_of(number, after, at);
  if (slot)
    tell_slot(engine, *slot, after);
  tell_contexts(number, slot, after, at);
  engine.before = after;
}

void RunTracer::tell_slot(Engine& engine, const EngineSlot& slot, const EngineSnapshot& after) {
  observer_.slot(slot);
  if (slot.state == ContextState::kStalled)
    ++engine.held;
  if (slot.state == ContextState::kExecuting) {
    engine.unfinished.push_back({slot.thread, slot.at, slot.word, engine.held, 0});
    engine.held = 0;
  }
  if (slot.state == ContextState::kAborted)
    for (ExecutedInstruction& instruction : engine.unfinished)
      if (instruction.word == slot.word)
        ++instruction.aborted;
  if (after.shadow)
    return;
  for (const ExecutedInstruction& instruction : engine.unfinished)
    observer_.instruction(instruction);
  engine.unfinished.clear();
}

void RunTracer::tell_contexts(unsigned number, const std::optional<EngineSlot>& slot,
                              const EngineSnapshot& after, Cycle at) {
  for (unsigned i = 0; i < chip_.contexts; ++i) {
    const auto& context = after.contexts[i];
    ContextChange change{
        ThreadId(EngineId(number), ContextId(i)), at, state_of(context.state), {}, context.word};
    if (slot && slot->thread.context.index() == i) {
      change.state = slot->state;
      change.word = slot->word;
    } else if (change.state == ContextState::kWaiting) {
      change.waits_for = static_cast<isa::Event>(1u << std::countr_zero(context.missing));
      change.word = context.gave_up_at;
    }
    ContextTold& told = engines_[number].told[i];
    if (told.state == change.state && told.waits_for == change.waits_for)
      continue;
    told = {change.state, change.waits_for};
    observer_.context_changed(change);
  }
}

void RunTracer::look_at_queues(Cycle at) {
  const auto sizes = queues_.sizes(at);
  for (std::size_t queue = 0; queue < sizes.size(); ++queue)
    if (entries_[queue] != sizes[queue])
      observer_.queue_changed(queue, sizes[queue], at);
  entries_ = sizes;
}

void RunTracer::look_at_rings(Cycle at) {
  for (std::size_t ring = 0; ring < ring_entries_.size(); ++ring) {
    const std::uint32_t entries = watched_.rings[ring].entries();
    if (ring_entries_[ring] != entries)
      observer_.ring_changed(ring, entries, at);
    ring_entries_[ring] = entries;
  }
}

void RunTracer::look_at_buses(Cycle at) {
  for (std::size_t i = 0; i < buses_.size(); ++i) {
    UnitBus& bus = buses_[i];
    const bool taken = bus.unit->active_cycles(at + 1) != bus.unit->active_cycles(at);
    if (taken == bus.taken)
      continue;
    bus.taken = taken;
    if (taken)
      observer_.bus_taken(i, at);
    else
      observer_.bus_freed(i, at);
  }
}

std::string_view RunTracer::queue_of(const Command& command) const {
  switch (command.unit) {
    case isa::Unit::kSram: return watched_.parts.sram->queue_name(command);
    case isa::Unit::kSdram: return watched_.parts.sdram->queue_name(command);
    case isa::Unit::kScratch: return watched_.parts.scratch->queue_name(command);
    default: return kFbiQueues.rows[0].name;
  }
}

void RunTracer::granted(const Command& command, Cycle at) {
  if (at + kFollowedBefore >= range_.from && at < range_.to)
    grants_[key_of(command)] = at;
}

void RunTracer::served(const Command& command, unsigned longwords, Cycle at, Cycle done) {
  const auto grant = grants_.find(key_of(command));
  const auto granted = grant == grants_.end() ? std::nullopt : std::optional(grant->second);
  if (granted)
    grants_.erase(grant);
  if (done < range_.from || command.issued >= range_.to)
    return;
  TracedReference reference{command.thread,
                            command.pc,
                            command.operation,
                            command.unit,
                            queue_of(command),
                            command.address,
                            longwords,
                            command.signals,
                            command.issued,
                            granted,
                            at,
                            done,
                            {}};
  if (command.operation == isa::Operation::kFastWr)
    reference.address = command.csr;
  if (command.unit == isa::Unit::kSdram)
    reference.packet = watched_.tracker.packet_at(command.address);
  observer_.reference(reference);
}

void RunTracer::received(const workloads::OfferedPacket& packet, unsigned port, Cycle at) {
  if (in_range(at))
    observer_.packet({PacketEvent::Kind::kReceived,
                      at,
                      packet.sequence,
                      packet.traffic_index,
                      port,
                      {},
                      {},
                      {}});
  if (watched_.verdicts != nullptr)
    watched_.verdicts->received(packet, port, at);
}

void RunTracer::verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
                        Cycle at) {
  if (in_range(at))
    observer_.packet({PacketEvent::Kind::kVerdict,
                      at,
                      packet.sequence,
                      packet.traffic_index,
                      {},
                      rule,
                      {},
                      watched_.annotations.acting()});
  if (watched_.verdicts != nullptr)
    watched_.verdicts->verdict(packet, rule, at);
}

void RunTracer::dropped(const workloads::OfferedPacket& packet, DropReason reason, Cycle at) {
  if (in_range(at))
    observer_.packet({PacketEvent::Kind::kDropped,
                      at,
                      packet.sequence,
                      packet.traffic_index,
                      {},
                      {},
                      reason,
                      watched_.annotations.acting()});
  if (watched_.verdicts != nullptr)
    watched_.verdicts->dropped(packet, reason, at);
}

void RunTracer::sent(const workloads::OfferedPacket& packet, unsigned port, Cycle at) {
  if (in_range(at))
    observer_.packet(
        {PacketEvent::Kind::kSent, at, packet.sequence, packet.traffic_index, port, {}, {}, {}});
  if (watched_.verdicts != nullptr)
    watched_.verdicts->sent(packet, port, at);
}

}  // namespace nplab::simulator
