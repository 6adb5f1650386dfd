#include "simulator/run/run_session.h"

#include "simulator/fbi/ix_clock.h"
#include "simulator/memory/ddr4_unit.h"

namespace nplab::simulator {
namespace {

void load(const SimulationInputs& inputs, const ChipParts& parts) {
  if (inputs.free_memories.sram)
    parts.sram->stop_occupying();
  if (inputs.free_memories.sdram)
    parts.sdram->stop_occupying();
  if (inputs.free_memories.scratch)
    parts.scratch->stop_occupying();
  if (Ddr4Unit* ddr4 = parts.sdram->ddr4())
    ddr4->observe_commands(inputs.dram_commands);
  for (std::size_t i = 0; i < inputs.engines.size(); ++i) {
    if (!inputs.engines[i])
      continue;
    const LoadedProgram& program = *inputs.engines[i];
    parts.engines[i]->load(program.image, program.contexts, program.costs);
    for (const isa::DataSegment& segment : program.image.data) {
      std::uint32_t address = segment.address;
      for (const std::uint32_t longword : segment.longwords) {
        parts.storage(segment.space).poke(address, longword);
        address += 4;
      }
    }
  }
  parts.announce_programs();
  for (const InitialLongword& longword : inputs.memory)
    parts.storage(longword.space).poke(longword.address, longword.value);
  for (unsigned list = 0; list < inputs.free_lists.size(); ++list)
    parts.sram->set_free_list(list, inputs.free_lists[list]);
}

constexpr double kBitsPerMegabit = 1e6;

QueuedReferences under_way(const MemoryUnit& unit, const CommandBus& bus, isa::Unit to) {
  QueuedReferences queued = unit.queued_references();
  queued.add(bus.queued_for(to));
  return queued;
}

MemoryCounters count(const MemoryUnit& unit, Cycle end, double bits_per_cycle,
                     const ClockDescription& clock) {
  const ReferenceStatistics& statistics = unit.statistics();
  return {unit.active_cycles(end),
          statistics.references(),
          statistics.longwords(),
          statistics.queue_peak(),
          statistics.total_latency(),
          statistics.latency_percentile(0.99),
          bits_per_cycle * static_cast<double>(clock.core_hz) / kBitsPerMegabit,
          {},
          {},
          statistics.total_delay(),
          unit.active_by_word(end)};
}

void collect_memories(const ChipDescription& chip, const ChipParts& parts, Cycle end,
                      SimulationResult& result) {
  result.sram =
      count(*parts.sram, end, 8.0 * chip.sram.bus_bytes / chip.sram.bus_cycles, chip.clock);
  result.sdram = count(*parts.sdram, end, parts.sdram->bits_per_cycle(), chip.clock);
  result.scratch = count(*parts.scratch, end,
                         8.0 * chip.scratch.bus_bytes / chip.scratch.bus_cycles, chip.clock);
  result.sram.under_way = under_way(*parts.sram, *parts.command_bus, isa::Unit::kSram);
  result.sdram.under_way = under_way(*parts.sdram, *parts.command_bus, isa::Unit::kSdram);
  result.scratch.under_way = under_way(*parts.scratch, *parts.command_bus, isa::Unit::kScratch);
  if (parts.core == nullptr)
    return;
  result.sram.by_core = parts.core->issued(isa::MemorySpace::kSram);
  result.sdram.by_core = parts.core->issued(isa::MemorySpace::kSdram);
  result.scratch.by_core = parts.core->issued(isa::MemorySpace::kScratch);
}

MemoryCounters& counters_of(const std::string& memory, SimulationResult& result) {
  if (memory == "sram")
    return result.sram;
  return memory == "sdram" ? result.sdram : result.scratch;
}

void collect_caches(const ChipParts& parts, SimulationResult& result) {
  for (const CachedMemory* cached : parts.caches) {
    CacheUse use;
    use.memory = cached->memory();
    for (unsigned i = 0; i < cached->caches(); ++i)
      use.caches.push_back(
          {cached->counters(i), cached->lines_held(i), cached->misses_under_way(i)});
    use.bus = cached->bus();
    use.hits_by_word = cached->hits_by_word();
    use.misses_by_word = cached->misses_by_word();
    counters_of(use.memory, result).under_way.add(cached->queued_references());
    result.caches.push_back(std::move(use));
  }
}

std::vector<DramUse::Channel> channels_of(const dram::DramMemory& memory) {
  std::vector<DramUse::Channel> channels;
  for (unsigned i = 0; i < memory.description().organization.channels; ++i) {
    const dram::Controller& controller = memory.controller(i);
    channels.push_back(
        {controller.counters(), controller.waiting(false), controller.waiting(true)});
  }
  return channels;
}

DramUse dram_of(const match::MatchUnit& unit, Cycle unit_end, std::uint64_t core_hz) {
  const match::MatchMemory& memory = unit.engine().memory();
  const dram::ClockRatio ratio(unit.description().dram_fifteenths, core_hz);
  DramUse use;
  use.channels = channels_of(memory.dram());
  use.memory_clocks = ratio.numerator();
  use.core_cycles = ratio.denominator();
  use.clocks = static_cast<std::uint64_t>(memory.ratio().first_clock(unit_end));
  use.bursts_read = memory.reads_taken();
  use.bursts_written = memory.writes_taken();
  return use;
}

// Of a run that is over.
void collect_match(match::MatchUnit& unit, Cycle end, std::uint64_t core_hz,
                   SimulationResult& result) {
  MatchUse use;
  use.unit_clocks = unit.ratio().numerator();
  use.core_cycles = unit.ratio().denominator();
  use.clocks = static_cast<std::uint64_t>(unit.ratio().first_clock(end));
  use.counters = unit.counters();
  const match::MatchEngine& engine = unit.engine();
  use.input = engine.input().counters();
  use.cache = engine.cache().counters();
  use.loads = engine.loads().counters();
  use.stores = engine.stores().counters();
  use.actions = engine.actions().counters();
  use.memory_full_cycles = engine.memory().full_cycles();
  use.dram = dram_of(unit, Cycle(use.clocks), core_hz);
  use.inexact_rules = unit.settle();
  result.match = std::move(use);
}

void collect_dram(const ChipParts& parts, Cycle end, SimulationResult& result) {
  const Ddr4Unit* unit = parts.sdram->ddr4();
  if (unit == nullptr)
    return;
  DramUse use;
  use.channels = channels_of(unit->memory());
  use.memory_clocks = unit->ratio().numerator();
  use.core_cycles = unit->ratio().denominator();
  use.clocks = static_cast<std::uint64_t>(unit->ratio().first_clock(end));
  use.bursts_read = unit->bursts().read;
  use.bursts_written = unit->bursts().written;
  result.dram = std::move(use);
}

PacketLatency summary(const LatencyHistogram& times) {
  return {times.min(), times.percentile(50), times.percentile(90), times.percentile(99),
          times.max(), times.total(),        times.buckets()};
}

void collect_packets(const RunEnvironment& around, SimulationResult& result) {
  constexpr std::size_t kInFlightShown = 32;
  const FrameTracker& tracker = around.tracker;
  for (unsigned port = 0; port < around.media.ports(); ++port)
    result.ports.push_back(
        {tracker.received_on(port), tracker.sent_on(port), around.media.receive(port).counters()});
  result.frames = tracker.counters();
  result.frames_in_flight = tracker.in_flight();
  result.latency = summary(tracker.latency());
  result.classification = summary(tracker.classification());
  result.latencies = tracker.latencies();
  result.violations = tracker.violation_messages();
  result.violation_count = tracker.violations();
  tracker.describe_in_flight(kInFlightShown, result.in_flight);
}

void name_source(const SimulationInputs& inputs, Fault& fault) {
  if (!fault.thread || !fault.pc)
    return;
  const unsigned engine = fault.thread->engine.index();
  if (engine < inputs.engines.size() && inputs.engines[engine])
    fault.source = source_of(inputs.engines[engine]->image, *fault.pc);
}

std::vector<ThreadId> threads_with_program(const SimulationInputs& inputs) {
  std::vector<ThreadId> threads;
  for (std::size_t engine = 0; engine < inputs.engines.size(); ++engine) {
    if (!inputs.engines[engine])
      continue;
    for (const ContextId context : inputs.engines[engine]->contexts)
      threads.push_back({EngineId(static_cast<unsigned>(engine)), context});
  }
  return threads;
}

// What the parts of the chip hold and counted when the run is over.
void collect_parts(const SimulationInputs& inputs, const RunEnvironment& around,
                   const ChipParts& parts, Cycle end, SimulationResult& result) {
  for (const Microengine* engine : parts.engines)
    result.engines.push_back(engine->counters());
  collect_memories(inputs.chip, parts, end, result);
  collect_caches(parts, result);
  collect_dram(parts, end, result);
  collect_packets(around, result);
  result.area_references.resize(inputs.areas.size());
  for (const MemoryUnit* unit :
       std::initializer_list<const MemoryUnit*>{parts.sram, parts.sdram, parts.scratch})
    unit->areas().collect(result.area_references);
  result.state_hash = parts.state_hash();
  result.fault = around.watch.fault();
  if (result.fault)
    name_source(inputs, *result.fault);
}

using EnginePrograms = decltype(SimulationInputs::engines);

std::string source_text(const EnginePrograms& engines, EngineId id, std::uint32_t word) {
  if (id.index() >= engines.size())
    return "core processor";
  const auto& program = engines[id.index()];
  return program ? source_of(program->image, word) : std::string();
}

}  // namespace

RunEnvironment::RunEnvironment(const SimulationInputs& inputs)
    : media(inputs.chip.media, inputs.chip.clock.core_hz, inputs.traffic,
            inputs.packets != nullptr ? *inputs.packets : no_packets),
      tracker(inputs.chip.media.ports, inputs.chip.sdram.bytes),
      fbi(inputs.chip.fbi,
          IxClock(inputs.chip.clock.ix_bus_numerator, inputs.chip.clock.ix_bus_denominator),
          {inputs.chip.engine.engines, inputs.chip.engine.contexts}, tracker),
      annotations(tracker, inputs.console) {
  if (inputs.core != nullptr)
    core.emplace(EngineId(inputs.chip.engine.engines), *inputs.core);
  if (inputs.match != nullptr)
    match.emplace(*inputs.chip.match, inputs.chip.clock.core_hz, *inputs.match);
  tracker.set_verdict_sink(inputs.verdicts);
  tracker.set_observer(inputs.frames);
  tracker.set_annotations(&annotations);
  if (inputs.chip.media.overflow_stops)
    media.stop_at_overflow(watch);
}

RunSession::RunSession(const SimulationInputs& inputs) : inputs_(inputs), around_(inputs) {}

ChipOutside RunSession::outside() {
  return {around_.fbi,
          &around_.media,
          around_.watch,
          around_.annotations,
          around_.core ? &*around_.core : nullptr,
          around_.match ? &*around_.match : nullptr};
}

void RunSession::begin(const ChipParts& parts) {
  parts_ = &parts;
  load(inputs_, parts);
  watch_memories(parts);
  samples_.emplace(parts, around_.match ? &*around_.match : nullptr, around_.tracker,
                   ring_counters_);
  if (inputs_.activity)
    activity_.emplace(parts, ChipQueues(inputs_.chip, parts, around_.fbi), ring_counters_,
                      threads_with_program(inputs_), *inputs_.activity);
  control_.emplace(inputs_, RunControl::Watched{parts, around_.watch, around_.media,
                                                around_.tracker, around_.fbi, around_.annotations,
                                                *samples_, activity_ ? &*activity_ : nullptr});
  started_ = std::chrono::steady_clock::now();
  if (inputs_.observation.observer != nullptr)
    tracer_.emplace(
        inputs_.observation,
        RunTracer::Watched{inputs_.chip, parts, around_.fbi, around_.tracker,
                           around_.match ? &*around_.match : nullptr, around_.annotations,
                           inputs_.verdicts, *control_, ring_counters_,
                           // An observer asks beyond the session.
                           [engines = inputs_.engines](EngineId id, std::uint32_t word) {
                             return source_text(engines, id, word);
                           }});
  if (inputs_.visitor != nullptr)
    visited_.emplace(*inputs_.visitor,
                     VisitedControl::Watched{*control_, parts, around_.fbi, around_.tracker,
                                             around_.annotations, around_.watch, ring_counters_,
                                             [this] { return control_->deadlocked(); }});
}

void RunSession::watch_memories(const ChipParts& parts) {
  sram_rings_.emplace(inputs_.rings, isa::MemorySpace::kSram, parts.sram->storage(),
                      ring_counters_);
  scratch_rings_.emplace(inputs_.rings, isa::MemorySpace::kScratch, parts.scratch->storage(),
                         ring_counters_);
  ring_marks_.emplace(inputs_.rings, ring_counters_);
  around_.annotations.set_ring_marks(&*ring_marks_);
  parts.sram->watch(AreaCounters(inputs_.areas, isa::MemorySpace::kSram));
  parts.sdram->watch_reads(&around_.tracker);
  parts.sdram->watch(AreaCounters(inputs_.areas, isa::MemorySpace::kSdram));
  parts.scratch->watch(AreaCounters(inputs_.areas, isa::MemorySpace::kScratch));
}

WindowControl& RunSession::control() {
  if (visited_)
    return *visited_;
  return tracer_ ? static_cast<WindowControl&>(*tracer_) : *control_;
}

SimulationResult RunSession::finish(Cycle end) {
  parts_->catch_up(end);
  SimulationResult result;
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  result.cycles = end.number();
  result.ix_bus_cycles = ix_bus_cycles(inputs_.chip.clock, result.cycles);
  collect_parts(inputs_, around_, *parts_, end, result);
  result.drops = around_.annotations.drops();
  result.samples = std::move(*samples_).series();
  if (activity_)
    result.activity = std::move(*activity_).finish(end);
  result.rings = std::move(ring_counters_);  // which samples read until here
  if (control_->deadlocked())
    result.deadlock = {around_.watch.last_progress(), parts_->waiting()};
  if (inputs_.inspect)
    inputs_.inspect(*parts_);
  if (around_.match)
    collect_match(*around_.match, end, inputs_.chip.clock.core_hz, result);
  return result;
}

}  // namespace nplab::simulator
