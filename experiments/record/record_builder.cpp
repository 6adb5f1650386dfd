#include "experiments/record/record_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "experiments/prepare/program_identity.h"
#include "experiments/record/cause_counts.h"
#include "experiments/record/line_table.h"
#include "experiments/record/memory_records.h"
#include "experiments/record/program_words.h"
#include "experiments/record/queue_entries.h"
#include "experiments/record/source_texts.h"
#include "isa/operations.gen.h"
#include "mappings/files/yaml_values.h"
#include "mappings/resolver/show.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/steady_state.h"

namespace nplab::experiments {
namespace {

using simulator::DropReason;

reports::MemoryRecord memory_unit(const simulator::MemoryCounters& counters) {
  reports::MemoryRecord unit;
  unit.references = counters.references;
  unit.longwords = counters.longwords;
  unit.queue_peak = counters.queue_peak;
  unit.latency_cycles.total = counters.total_latency;
  unit.latency_cycles.p99 = counters.latency_p99;
  unit.active_cycles = counters.active_cycles;
  unit.peak_mbps = counters.peak_mbps;
  unit.under_way =
      reports::ReferenceSum{counters.under_way.references, counters.under_way.longwords};
  if (counters.by_core)
    unit.by_core = reports::ReferenceSum{counters.by_core->references, counters.by_core->longwords};
  unit.delay_cycles = counters.total_delay;
  return unit;
}

reports::Thread thread_record(unsigned id, const simulator::ThreadCounters& counters) {
  reports::Thread thread;
  thread.id = id;
  thread.executing = counters.executing;
  thread.aborted = counters.aborted;
  thread.stalled = counters.stalled;
  thread.ready = counters.ready;
  thread.off = counters.off;
  for (unsigned bit = 0; bit < simulator::kEventKinds; ++bit) {
    if (counters.waiting[bit] == 0)
      continue;
    thread.waiting[std::string(isa::to_string(static_cast<isa::Event>(1u << bit)))] =
        counters.waiting[bit];
  }
  thread.waiting_on = counts_by_name(counters.waiting_on);
  thread.idle = counts_by_name(counters.idle.waiting_on);
  if (counters.idle.ready > 0)
    thread.idle["ready"] = counters.idle.ready;
  if (counters.idle.off > 0)
    thread.idle["off"] = counters.idle.off;
  return thread;
}

reports::Engine engine_record(unsigned id, const simulator::EngineCounters& counters,
                              const CompiledProgram* program, unsigned contexts) {
  reports::Engine engine;
  engine.id = id;
  engine.role = program != nullptr ? program->composed.role : "off";
  engine.program = program != nullptr ? program->image.name : "";
  engine.words = program != nullptr ? program->image.words.size() : 0;
  engine.cycles = {counters.executing, counters.aborted, counters.stalled, counters.idle};
  engine.instructions = counters.executing;
  for (unsigned context = 0; context < contexts; ++context) {
    engine.threads.push_back(thread_record(context, counters.threads[context]));
  }
  for (unsigned kind = 0; kind < simulator::kAbortClasses; ++kind) {
    if (counters.aborted_by[kind] == 0)
      continue;
    engine.aborted_by[std::string(isa::to_string(static_cast<isa::AbortClass>(kind)))] =
        counters.aborted_by[kind];
  }
  engine.stalled_on = counts_by_name(counters.stalled_on);
  return engine;
}

void earliest(std::optional<reports::Count>& first, const std::optional<simulator::Cycle>& at) {
  if (at && (!first || at->number() < *first))
    first = at->number();
}

void fill_ports(const simulator::SimulationResult& result, double line_mbps,
                reports::RunRecord& record) {
  for (std::size_t i = 0; i < result.ports.size(); ++i) {
    const simulator::PortCounters& counters = result.ports[i];
    reports::Port port;
    port.id = i;
    port.received = counters.received.frames;
    port.sent = counters.sent.frames;
    port.overflow = counters.wire.missed;
    port.frame_bytes = {counters.received.bytes, counters.sent.bytes};
    port.line_mbps = line_mbps;
    earliest(record.first_start_cycle.receive, counters.received.first_start);
    earliest(record.first_start_cycle.transmit, counters.sent.first_start);
    record.packets.offered += counters.wire.offered;
    record.packets.missed_by_media += counters.wire.missed;
    record.ports.push_back(port);
  }
}

void fill_packets(const Experiment& experiment, const simulator::SimulationResult& result,
                  const ReferenceChecks& checks, reports::Packets& packets) {
  const simulator::FrameCounters& frames = result.frames;
  packets.received = frames.received;
  packets.sent = frames.sent;
  packets.denied = frames.dropped_for(DropReason::kDenied);
  const bool drops = experiment.placement().no_match == mappings::NoMatch::kDrop;
  packets.no_match = drops ? frames.dropped_for(DropReason::kNoMatch) : checks.no_match_verdicts();
  if (!drops)
    packets.no_match_dropped = 0;
  packets.dropped_queue_full = frames.dropped_for(DropReason::kQueueFull);
  for (const DropReason reason :
       {DropReason::kNoBuffer, DropReason::kBadFrame, DropReason::kOther}) {
    if (frames.dropped_for(reason) > 0)
      packets.dropped_other[simulator::name_of(reason)] = frames.dropped_for(reason);
  }
  packets.in_flight = result.frames_in_flight;
  packets.classified = checks.classified();
  packets.misclassified = checks.misclassified();
  packets.misforwarded = checks.misforwarded();
  packets.altered_frames = frames.altered;
  packets.sent_again = frames.sent_again;
  packets.reordered_within_port = frames.reordered;
  packets.reordered = frames.overtaken;
  if (experiment.manifest.front)
    packets.cached = frames.cached;
  if (experiment.manifest.find_table("mega_flows") != nullptr)
    packets.mega_flow_hits = frames.mega_flow_hits;
}

// Packets that the threads of a stage dropped at their full output queue: a stage has one.
reports::Count refused_by(const mappings::Stage& stage, const simulator::SimulationResult& result) {
  reports::Count refused = 0;
  for (const mappings::ThreadPlace thread : stage.threads) {
    const unsigned place = simulator::ThreadId(simulator::EngineId(thread.engine),
                                               simulator::ContextId(thread.context))
                               .place();
    if (place >= result.drops.size())
      continue;
    refused += result.drops[place][static_cast<std::size_t>(DropReason::kQueueFull) - 1];
  }
  return refused;
}

// The result's rings are those of watched_rings, in its order.
void fill_queues(const mappings::Placement& placement, const simulator::SimulationResult& result,
                 std::vector<reports::QueueRecord>& queues) {
  auto ring = result.rings.begin();
  for (const mappings::Queue& placed : placement.queues) {
    reports::QueueRecord queue;
    queue.name = placed.name;
    queue.entries = placed.entries;
    queue.rings = placed.instances.size();
    for (std::size_t i = 0; i < placed.instances.size(); ++i, ++ring) {
      queue.enqueued += ring->put;
      queue.dequeued += ring->taken;
      queue.peak = std::max<reports::Count>(queue.peak, ring->peak);
    }
    queue.refused = refused_by(placement.stages[placed.from], result);
    queue.from = placement.stages[placed.from].name;
    queue.to = placement.stages[placed.to].name;
    queue.memory = placed.memory_text();
    queues.push_back(queue);
  }
}

void fill_placement(const mappings::Placement& placement, reports::RunRecord& record) {
  for (const mappings::Stage& placed : placement.stages) {
    reports::StageRecord stage{
        placed.name, mappings::role_name(placed.role), {}, {}, placed.program};
    for (const mappings::ThreadPlace& thread : placed.threads)
      stage.threads.push_back({thread.engine, thread.context});
    for (const mappings::TaskCall& call : placed.calls)
      stage.tasks.push_back(to_string(call));
    record.stages.push_back(std::move(stage));
  }
  for (const mappings::MemoryRange& range : placement.memory_map)
    record.memory_map.push_back(
        {mappings::memory_name(range.space), to_string(range.use), range.base, range.bytes});
}

void add_sample(const simulator::MemorySample& sample, reports::MemorySeries& series) {
  series.active_cycles.push_back(sample.active_cycles);
  series.references.push_back(sample.references);
}

void add_sample(const simulator::MatchSample& sample, reports::MatchSeries& series) {
  series.lookups.push_back(sample.lookups);
  series.looked_up.push_back(sample.looked_up);
  series.bursts.push_back(sample.bursts);
  series.sessions.push_back(sample.sessions);
}

void fill_samples(const mappings::Placement& placement, const simulator::SampleSeries& series,
                  bool has_match_unit, reports::Samples& samples) {
  samples.interval_cycles = series.interval;
  if (has_match_unit)
    samples.match.emplace();
  for (const mappings::Queue& queue : placement.queues)
    samples.queues.push_back({queue.name, {}});
  for (const simulator::RunSample& sample : series.samples) {
    samples.received.push_back(sample.received);
    samples.sent.push_back(sample.sent);
    samples.in_flight.push_back(sample.in_flight);
    samples.received_bytes.push_back(sample.received_bytes);
    samples.sent_bytes.push_back(sample.sent_bytes);
    add_sample(sample.sram, samples.sram);
    add_sample(sample.sdram, samples.sdram);
    add_sample(sample.scratch, samples.scratch);
    if (samples.match)
      add_sample(sample.match, *samples.match);
    const auto entries = entries_by_queue(placement, sample.ring_entries);
    for (std::size_t i = 0; i < entries.size(); ++i)
      samples.queues[i].entries.push_back(entries[i]);
  }
}

// The result's areas are those of watched_areas, in its order.
void fill_tables(const Experiment& experiment, const simulator::SimulationResult& result,
                 reports::RunRecord& record) {
  const auto& tables = experiment.placement().tables;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    record.tables.push_back({tables[i].name, mappings::memory_name(tables[i].space),
                             tables[i].bytes, result.area_references.at(i)});
  }
  record.built = experiment.placed->facts;
}

std::vector<std::string> workload_sentences(const workloads::Workload& workload) {
  return {fmt::format("workload {}: {} rules in {} dimensions, {} packets, key {}, L4 key {}",
                      workload.name, workload.rules.size(), workload.rules.fields().size(),
                      workload.traffic.size(), workloads::name_of(workload.key.variant),
                      workloads::name_of(workload.l4_key)),
          fmt::format("wire slot: frame + {} bytes of gap + {} of preamble; seed {}",
                      workload.slot.gap_bytes, workload.slot.preamble_bytes, workload.seed)};
}

std::string port_list(const std::vector<workloads::PortId>& ports) {
  std::string text;
  for (const auto port : ports)
    text += (text.empty() ? "" : ",") + std::to_string(port.value());
  return text;
}

const CompiledProgram* program_of(unsigned engine, const std::vector<CompiledProgram>& programs) {
  for (const CompiledProgram& program : programs) {
    if (program.composed.engine == engine)
      return &program;
  }
  return nullptr;
}

ArrivalChoice arrival_of(const Experiment& experiment) {
  if (experiment.lossless)
    return LosslessArrival{};
  return experiment.workload.arrival;
}

}  // namespace

std::vector<simulator::WatchedRing> watched_rings(const mappings::Placement& placement) {
  std::vector<simulator::WatchedRing> rings;
  for (std::size_t i = 0; i < placement.queues.size(); ++i) {
    const mappings::Queue& queue = placement.queues[i];
    const bool at_end = queue.release == mappings::QueueRelease::kEndOfPacket;
    const std::uint32_t freed =
        at_end ? mappings::kQueueReleasedOffset : mappings::kQueueHeadOffset;
    for (const mappings::QueueInstance& instance : queue.instances) {
      simulator::WatchedRing ring{queue.memory, instance.base + mappings::kQueueTailOffset,
                                  instance.base + mappings::kQueueHeadOffset,
                                  instance.base + freed};
      if (queue.protocol.shape != mappings::RingShape::kCounters) {
        ring.marked = {static_cast<std::uint32_t>(i), instance.base,
                       static_cast<std::uint32_t>(queue.instance_bytes()), !at_end};
      }
      rings.push_back(ring);
    }
  }
  return rings;
}

std::vector<simulator::WatchedArea> watched_areas(const mappings::Placement& placement) {
  std::vector<simulator::WatchedArea> areas;
  for (const mappings::TablePlacement& table : placement.tables) {
    areas.push_back({table.space, table.base, table.bytes});
  }
  return areas;
}

void fill_classification(const simulator::PacketLatency& times, reports::RunRecord& record) {
  if (times.buckets.empty())
    return;
  record.classification_cycles = {times.min, times.p50, times.p90,
                                  times.p99, times.max, times.total};
  for (const auto& bucket : times.buckets)
    record.classification_histogram.push_back({bucket.from, bucket.to, bucket.count});
}

reports::Updates updates_record(const workloads::RuleUpdates& updates,
                                const UpdateCounters& counters, const ReferenceChecks& checks) {
  reports::Updates record;
  record.asked = updates.updates.size();
  record.inserts = counters.inserts;
  record.deletes = counters.deletes;
  record.rules_at_start = static_cast<reports::Count>(
      std::count(updates.at_start.begin(), updates.at_start.end(), true));
  record.rules_at_stop = record.rules_at_start + counters.inserts - counters.deletes;
  record.first_cycle = counters.first.number();
  record.last_cycle = counters.last.number();
  record.references = counters.references;
  record.longwords_written = counters.longwords_written;
  record.waits = counters.waits;
  record.wait_cycles = counters.wait_cycles;
  record.latency_cycles.total = counters.total_latency;
  record.latency_cycles.max = counters.greatest_latency;
  record.contested_packets = checks.contested();
  return record;
}

void fill_caches(const simulator::ChipDescription& chip, const simulator::SimulationResult& result,
                 reports::RunRecord& record) {
  for (const simulator::CacheUse& use : result.caches) {
    const auto& description = use.memory == "sram"    ? chip.sram.cache
                              : use.memory == "sdram" ? chip.sdram.cache
                                                      : chip.scratch.cache;
    reports::CachesRecord caches;
    caches.memory = use.memory;
    caches.sharing =
        choice_words(description->sharing)[static_cast<std::size_t>(description->sharing)];
    caches.lines = description->lines;
    caches.line_bytes = description->line_bytes;
    caches.ways = description->ways;
    for (const auto& [c, lines_held, under_way] : use.caches)
      caches.caches.push_back({c.references, c.forwarded, c.read_hits, c.read_misses, c.write_hits,
                               c.write_misses, c.merged, c.fetched, c.upgraded, c.not_allocated,
                               under_way, c.from_caches, c.replaced, c.invalidated, c.written_back,
                               lines_held});
    caches.bus_transactions = use.bus.transactions;
    caches.bus_held_cycles = use.bus.held_cycles;
    caches.bus_waited_cycles = use.bus.waited_cycles;
    caches.lines_read = use.bus.lines_read;
    caches.lines_written = use.bus.lines_written;
    caches.lines_to_read = use.bus.lines_to_read;
    caches.lines_to_write = use.bus.lines_to_write;
    if (!record.caches)
      record.caches.emplace();
    record.caches->push_back(std::move(caches));
  }
}

reports::RunRecord build_record(const Experiment& experiment,
                                const std::vector<CompiledProgram>& programs,
                                const simulator::SimulationResult& result,
                                const ReferenceChecks& checks) {
  reports::RunRecord record;
  const ProgramIdentity& program = program_identity();
  record.tool = {program.version, program.commit, program.build_id};
  record.inputs = experiment.inputs;
  record.seed = experiment.workload.seed;
  record.options = {experiment.options.packets,
                    experiment.options.drain,
                    to_string(arrival_of(experiment)),
                    port_list(experiment.workload.ports_in),
                    std::string(workloads::name_of(experiment.workload.l4_key)),
                    experiment.options.set,
                    experiment.options.without};
  if (!experiment.options.units.empty())
    record.options.units = experiment.options.units;
  record.cycles = {result.cycles, result.ix_bus_cycles};
  const auto& clock = experiment.chip.clock;
  record.clocks = {clock.core_hz,
                   clock.core_hz * clock.ix_bus_numerator / clock.ix_bus_denominator};
  record.memory = {memory_unit(result.sram), memory_unit(result.sdram),
                   memory_unit(result.scratch)};
  fill_caches(experiment.chip, result, record);
  fill_dram_record(experiment.chip.sdram, result, record);
  if (experiment.chip.match)
    fill_match_record(*experiment.chip.match, result, record);
  record.latency_cycles = {result.latency.min, result.latency.p50, result.latency.p90,
                           result.latency.p99, result.latency.max};
  constexpr double kBitsPerMegabit = 1e6;
  fill_ports(result,
             static_cast<double>(experiment.chip.media.port_bits_per_second) / kBitsPerMegabit,
             record);
  fill_packets(experiment, result, checks, record.packets);
  fill_queues(experiment.placement(), result, record.queues);
  fill_placement(experiment.placement(), record);
  for (const auto& bucket : result.latency.buckets)
    record.latency_histogram.push_back({bucket.from, bucket.to, bucket.count});
  fill_classification(result.classification, record);
  fill_samples(experiment.placement(), result.samples, result.match.has_value(), record.samples);
  fill_tables(experiment, result, record);
  for (unsigned id = 0; id < result.engines.size(); ++id) {
    const CompiledProgram* program = program_of(id, programs);
    record.engines.push_back(
        engine_record(id, result.engines[id], program, experiment.chip.engine.contexts));
    if (program == nullptr)
      continue;
    const auto lines = line_table(id, program->image, result);
    record.engines.at(id).work_cycles = work_cycles(lines);
    record.engines.at(id).calibration_cycles = cycles_of_unprinted_work(lines);
    record.lines.insert(record.lines.end(), lines.begin(), lines.end());
    record.programs.push_back(program_words(id, program->image, result.engines[id]));
  }
  record.memory.sram.work_cycles = bus_work_cycles(record.lines, "sram");
  record.memory.sdram.work_cycles = bus_work_cycles(record.lines, "sdram");
  record.memory.scratch.work_cycles = bus_work_cycles(record.lines, "scratch");
  record.sources = source_texts(record.lines, programs);
  record.workload = workload_sentences(experiment.workload);
  record.mode = simulator::name_of(experiment.options.mode);
  record.window_cycles =
      experiment.options.mode == simulator::Mode::kLockstep ? 1 : simulator::kReach;
  record.state_hash = fmt::format("{:016x}", result.state_hash);
  record.host.simulation_s = result.seconds;
  record.host.build_s = experiment.placed->build_seconds;
  reports::fill_derived(record);
  record.steady = reports::steady_state(record, result.latencies);
  return record;
}

}  // namespace nplab::experiments
