#include "simulator/run/simulation.h"

#include <fmt/format.h>

#include <chrono>

#include "simulator/chip/plain_chip.h"
#include "simulator/fbi/fbi.h"
#include "simulator/memory/ddr4_unit.h"
#include "simulator/observe/run_annotations.h"
#include "simulator/observe/run_tracer.h"
#include "simulator/run/run_control.h"
#include "simulator/run/run_visitor.h"
#include "simulator/systemc/chip_runner.h"

namespace nplab::simulator {
namespace {

// Nothing arrives.
class NoPackets final : public workloads::PacketSource {
 public:
  std::optional<workloads::OfferedPacket> next(workloads::PortId) override { return std::nullopt; }
};

// The environment of the engines, buses and memories of a run.
struct Surroundings {
  explicit Surroundings(const SimulationInputs& inputs)
      : media(inputs.chip.media, inputs.chip.clock.core_hz, inputs.traffic,
              inputs.packets != nullptr ? *inputs.packets : no_packets),
        tracker(inputs.chip.media.ports, inputs.chip.sdram.bytes),
        fbi(inputs.chip.fbi,
            IxClock(inputs.chip.clock.ix_bus_numerator, inputs.chip.clock.ix_bus_denominator),
            {inputs.chip.engine.engines, inputs.chip.engine.contexts}, tracker),
        annotations(tracker, inputs.console) {
    if (inputs.core != nullptr)
      core.emplace(EngineId(inputs.chip.engine.engines), *inputs.core);
    tracker.set_verdict_sink(inputs.verdicts);
    tracker.set_observer(inputs.frames);
    tracker.set_annotations(&annotations);
    if (inputs.chip.media.overflow_stops)
      media.stop_at_overflow(watch);
  }

  NoPackets no_packets;
  MediaDevice media;
  FrameTracker tracker;
  Fbi fbi;
  RunWatch watch;
  RunAnnotations annotations;
  std::optional<CorePort> core;
};

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

void collect_dram(const ChipParts& parts, Cycle end, SimulationResult& result) {
  const Ddr4Unit* unit = parts.sdram->ddr4();
  if (unit == nullptr)
    return;
  DramUse use;
  for (unsigned i = 0; i < unit->memory().description().organization.channels; ++i) {
    const dram::Controller& controller = unit->memory().controller(i);
    use.channels.push_back(
        {controller.counters(), controller.waiting(false), controller.waiting(true)});
  }
  use.memory_clocks = unit->ratio().numerator();
  use.core_cycles = unit->ratio().denominator();
  use.clocks = static_cast<std::uint64_t>(unit->ratio().first_clock(end));
  use.bursts_read = unit->bursts().read;
  use.bursts_written = unit->bursts().written;
  result.dram = std::move(use);
}

PacketLatency summary(const LatencyHistogram& times) {
  return {times.min(),          times.percentile(50), times.percentile(90),
          times.percentile(99), times.max(),          times.buckets()};
}

void collect_packets(const Surroundings& around, SimulationResult& result) {
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
void collect_parts(const SimulationInputs& inputs, const Surroundings& around,
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

// Runs `parts` by `drive`, which runs windows under the control that it is given until that says
// that the run is over, and returns the cycle after the last.
template <class Drive>
SimulationResult run(const SimulationInputs& inputs, Surroundings& around, const ChipParts& parts,
                     Drive drive) {
  load(inputs, parts);
  std::vector<RingCounters> ring_counters;
  const RingWatch sram_rings(inputs.rings, isa::MemorySpace::kSram, parts.sram->storage(),
                             ring_counters);
  const RingWatch scratch_rings(inputs.rings, isa::MemorySpace::kScratch, parts.scratch->storage(),
                                ring_counters);
  RingMarks ring_marks(inputs.rings, ring_counters);
  around.annotations.set_ring_marks(&ring_marks);
  parts.sram->watch(AreaCounters(inputs.areas, isa::MemorySpace::kSram));
  parts.sdram->watch_reads(&around.tracker);
  parts.sdram->watch(AreaCounters(inputs.areas, isa::MemorySpace::kSdram));
  parts.scratch->watch(AreaCounters(inputs.areas, isa::MemorySpace::kScratch));
  RunSamples samples(parts, around.tracker, ring_counters);
  std::optional<RunActivity> activity;
  if (inputs.activity)
    activity.emplace(parts, ChipQueues(inputs.chip, parts, around.fbi), ring_counters,
                     threads_with_program(inputs), *inputs.activity);
  RunControl control(inputs, {parts, around.watch, around.media, around.tracker, around.fbi,
                              around.annotations, samples, activity ? &*activity : nullptr});
  SimulationResult result;
  const auto started = std::chrono::steady_clock::now();
  std::optional<RunTracer> tracer;
  if (inputs.observation.observer != nullptr)
    tracer.emplace(inputs.observation,
                   RunTracer::Watched{inputs.chip, parts, around.fbi, around.tracker,
                                      around.annotations, inputs.verdicts, control, ring_counters,
                                      [&inputs](EngineId id, std::uint32_t word) {
                                        if (id.index() >= inputs.engines.size())
                                          return std::string("core processor");
                                        const auto& program = inputs.engines[id.index()];
                                        return program ? source_of(program->image, word)
                                                       : std::string();
                                      }});
  std::optional<VisitedControl> visited;
  if (inputs.visitor != nullptr)
    visited.emplace(*inputs.visitor,
                    VisitedControl::Watched{control, parts, around.fbi, around.tracker,
                                            around.annotations, around.watch, ring_counters,
                                            [&control] { return control.deadlocked(); }});
  WindowControl& observed = tracer ? static_cast<WindowControl&>(*tracer) : control;
  const Cycle end = drive(visited ? static_cast<WindowControl&>(*visited) : observed);
  parts.catch_up(end);
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  result.cycles = end.number();
  result.ix_bus_cycles = ix_bus_cycles(inputs.chip.clock, result.cycles);
  collect_parts(inputs, around, parts, end, result);
  result.drops = around.annotations.drops();
  result.samples = std::move(samples).series();
  if (activity)
    result.activity = std::move(*activity).finish(end);
  result.rings = std::move(ring_counters);  // which samples read until here
  if (control.deadlocked())
    result.deadlock = {around.watch.last_progress(), parts.waiting()};
  if (inputs.inspect)
    inputs.inspect(parts);
  return result;
}

}  // namespace

SimulationResult simulate(const SimulationInputs& inputs, Kernel kernel) {
  Surroundings around(inputs);
  CorePort* const core = around.core ? &*around.core : nullptr;
  if (kernel == Kernel::kSystemC) {
    ChipRunner runner(inputs.chip, around.fbi, &around.media, around.watch, around.annotations,
                      core);
    return run(inputs, around, runner.parts(),
               [&](WindowControl& control) { return runner.run(control); });
  }
  PlainChip chip(inputs.chip, around.fbi, &around.media, around.watch, around.annotations, core);
  return run(inputs, around, chip.parts(), [&](WindowControl& control) {
    do
      chip.advance(control.limits(chip.now()));
    while (!control.finished(chip.now()));
    return chip.now();
  });
}

}  // namespace nplab::simulator
