#include "tools/record_builder.h"

#include <fmt/format.h>

#include <bit>

#include "isa/operations.gen.h"
#include "reports/derive.h"
#include "tools/line_table.h"
#include "tools/version.gen.h"

namespace nplab::tools {
namespace {

using simulator::DropReason;

reports::MemoryUnit memory_unit(const simulator::MemoryCounters& counters) {
  reports::MemoryUnit unit;
  unit.references = counters.references;
  unit.longwords = counters.longwords;
  unit.queue_peak = counters.queue_peak;
  unit.latency_cycles.total = counters.total_latency;
  unit.latency_cycles.p99 = counters.latency_p99;
  unit.active_cycles = counters.active_cycles;
  unit.peak_mbps = counters.peak_mbps;
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
    if (counters.waiting[bit] == 0) continue;
    thread.waiting[std::string(isa::to_string(static_cast<isa::Event>(1u << bit)))] = counters.waiting[bit];
  }
  return thread;
}

reports::Engine engine_record(unsigned id, const simulator::EngineCounters& counters, const EngineProgram* program,
                              unsigned contexts) {
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
    if (counters.aborted_by[kind] == 0) continue;
    engine.aborted_by[std::string(isa::to_string(static_cast<isa::AbortClass>(kind)))] = counters.aborted_by[kind];
  }
  return engine;
}

void earliest(std::optional<reports::Count>& first, const std::optional<simulator::Cycle>& at) {
  if (at && (!first || at->number() < *first)) first = at->number();
}

void fill_ports(const simulator::SimulationResult& result, reports::RunRecord& record) {
  for (std::size_t i = 0; i < result.ports.size(); ++i) {
    const simulator::PortCounters& counters = result.ports[i];
    reports::Port port;
    port.id = i;
    port.received = counters.received.frames;
    port.sent = counters.sent.frames;
    port.overflow = counters.wire.missed;
    port.frame_bytes = {counters.received.bytes, counters.sent.bytes};
    earliest(record.first_start_cycle.receive, counters.received.first_start);
    earliest(record.first_start_cycle.transmit, counters.sent.first_start);
    record.packets.offered += counters.wire.offered;
    record.packets.missed_by_media += counters.wire.missed;
    record.ports.push_back(port);
  }
}

void fill_packets(const Experiment& experiment, const simulator::SimulationResult& result, const ReferenceChecks& checks,
                  reports::Packets& packets) {
  const simulator::FrameCounters& frames = result.frames;
  packets.received = frames.received;
  packets.sent = frames.sent;
  packets.denied = frames.dropped_for(DropReason::kDenied);
  const bool drops = experiment.placement.no_match == mappings::NoMatch::drop;
  packets.no_match = drops ? frames.dropped_for(DropReason::kNoMatch) : checks.no_match_verdicts();
  if (!drops) packets.no_match_dropped = 0;
  packets.dropped_queue_full = frames.dropped_for(DropReason::kQueueFull);
  for (const DropReason reason : {DropReason::kNoBuffer, DropReason::kBadFrame, DropReason::kOther}) {
    if (frames.dropped_for(reason) > 0) packets.dropped_other[simulator::name_of(reason)] = frames.dropped_for(reason);
  }
  packets.in_flight = result.frames_in_flight;
  packets.classified = checks.classified();
  packets.misclassified = checks.misclassified();
  packets.misforwarded = checks.misforwarded();
  packets.reordered_within_port = frames.reordered;
}

std::vector<std::string> workload_sentences(const workloads::Workload& workload) {
  return {fmt::format("workload {}: {} rules in {} dimensions, {} packets, key {}, L4 key {}", workload.name,
                      workload.rules.size(), workload.rules.fields().size(), workload.traffic.size(),
                      workloads::name_of(workload.key.variant), workloads::name_of(workload.l4_key)),
          fmt::format("wire slot: frame + {} bytes of gap + {} of preamble; seed {}", workload.slot.gap_bytes,
                      workload.slot.preamble_bytes, workload.seed)};
}

std::string port_list(const std::vector<workloads::PortId>& ports) {
  std::string text;
  for (const auto port : ports) text += (text.empty() ? "" : ",") + std::to_string(port.value());
  return text;
}

const EngineProgram* program_of(unsigned engine, const std::vector<EngineProgram>& programs) {
  for (const EngineProgram& program : programs) {
    if (program.composed.engine == engine) return &program;
  }
  return nullptr;
}

}  // namespace

reports::RunRecord build_record(const Experiment& experiment, const std::vector<EngineProgram>& programs,
                                const simulator::SimulationResult& result, const ReferenceChecks& checks) {
  reports::RunRecord record;
  record.tool = {kVersion, kCommit};
  record.inputs = experiment.inputs;
  record.seed = experiment.workload.seed;
  record.options = {experiment.options.packets,
                    experiment.options.drain,
                    experiment.options.arrival.empty() ? "wire" : experiment.options.arrival,
                    port_list(experiment.workload.ports_in),
                    std::string(workloads::name_of(experiment.workload.l4_key)),
                    experiment.options.set};
  record.cycles = {result.cycles, result.ix_bus_cycles};
  const auto& clock = experiment.chip.clock;
  record.clocks = {clock.core_hz, clock.core_hz * clock.ix_bus_numerator / clock.ix_bus_denominator};
  record.memory = {memory_unit(result.sram), memory_unit(result.sdram), memory_unit(result.scratch)};
  record.latency_cycles = {result.latency.min, result.latency.p50, result.latency.p90, result.latency.p99, result.latency.max};
  fill_ports(result, record);
  fill_packets(experiment, result, checks, record.packets);
  for (unsigned id = 0; id < result.engines.size(); ++id) {
    const EngineProgram* program = program_of(id, programs);
    record.engines.push_back(engine_record(id, result.engines[id], program, experiment.chip.engine.contexts));
    if (program == nullptr) continue;
    const auto lines = line_table(id, program->image, result.engines[id]);
    record.lines.insert(record.lines.end(), lines.begin(), lines.end());
  }
  record.workload = workload_sentences(experiment.workload);
  record.mode = "lockstep";
  record.state_hash = fmt::format("{:016x}", result.state_hash);
  record.host.simulation_s = result.seconds;
  reports::fill_derived(record);
  return record;
}

}  // namespace nplab::tools
