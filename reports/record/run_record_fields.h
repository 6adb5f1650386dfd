// The run record's JSON keys, each named once: a writer and a reader
// (reports/record/json_archive.h) both walk these lists, so the two directions cannot disagree.
// `key` is promised by the schema and must be there; `extra` may be missing. More than 500 lines:
// one list per part of the record.
#pragma once

#include "reports/record/memory_record_fields.h"
#include "reports/record/record_type.h"
#include "reports/record/run_record.h"

namespace nplab::reports {

template <class Archive, Is<Tool> R>
void describe(Archive& archive, R& tool) {
  archive.key("version", tool.version);
  archive.key("commit", tool.commit);
  archive.extra("build_id", tool.build_id);
}

template <class Archive, Is<Input> R>
void describe(Archive& archive, R& input) {
  archive.key("name", input.name);
  archive.key("sha256", input.sha256);
}

template <class Archive, Is<Inputs> R>
void describe(Archive& archive, R& inputs) {
  archive.key("mapping", inputs.mapping);
  archive.key("chip", inputs.chip);
  archive.key("rules", inputs.rules);
  archive.key("traffic", inputs.traffic);
  archive.extra("workload", inputs.workload);
  archive.extra("profile", inputs.profile);
  archive.extra("updates", inputs.updates);
}

template <class Archive, Is<Options> R>
void describe(Archive& archive, R& options) {
  archive.extra("packets", options.packets);
  archive.extra("drain", options.drain);
  archive.extra("arrival", options.arrival);
  archive.extra("ports_in", options.ports_in);
  archive.extra("l4_key", options.l4_key);
  archive.extra("set", options.set);
  archive.extra("without", options.without);
  archive.extra("units", options.units);
}

template <class Archive, Is<Cycles> R>
void describe(Archive& archive, R& cycles) {
  archive.key("core", cycles.core);
  archive.key("ix_bus", cycles.ix_bus);
}

template <class Archive, Is<Clocks> R>
void describe(Archive& archive, R& clocks) {
  archive.key("core_hz", clocks.core_hz);
  archive.key("ix_bus_hz", clocks.ix_bus_hz);
}

template <class Archive, Is<Rates> R>
void describe(Archive& archive, R& rates) {
  archive.key("receive", rates.receive);
  archive.key("transmit", rates.transmit);
}

template <class Archive, Is<FrameBytes> R>
void describe(Archive& archive, R& bytes) {
  archive.key("receive", bytes.receive);
  archive.key("transmit", bytes.transmit);
}

template <class Archive, Is<FirstStart> R>
void describe(Archive& archive, R& start) {
  archive.extra("receive", start.receive);
  archive.extra("transmit", start.transmit);
}

template <class Archive, Is<Port> R>
void describe(Archive& archive, R& port) {
  archive.key("id", port.id);
  archive.key("received", port.received);
  archive.key("sent", port.sent);
  archive.key("overflow", port.overflow);
  archive.key("rates_mbps", port.rates_mbps);
  archive.extra("frame_bytes", port.frame_bytes);
  archive.extra("line_mbps", port.line_mbps);
}

template <class Archive, Is<Packets> R>
void describe(Archive& archive, R& packets) {
  archive.key("offered", packets.offered);
  archive.key("missed_by_media", packets.missed_by_media);
  archive.key("received", packets.received);
  archive.key("sent", packets.sent);
  archive.key("denied", packets.denied);
  archive.key("no_match", packets.no_match);
  archive.key("dropped_queue_full", packets.dropped_queue_full);
  archive.key("dropped_other", packets.dropped_other);
  archive.key("in_flight", packets.in_flight);
  archive.key("classified", packets.classified);
  archive.key("misclassified", packets.misclassified);
  archive.extra("no_match_dropped", packets.no_match_dropped);
  archive.extra("misforwarded", packets.misforwarded);
  archive.extra("altered_frames", packets.altered_frames);
  archive.extra("sent_again", packets.sent_again);
  archive.extra("reordered_within_port", packets.reordered_within_port);
  archive.extra("reordered", packets.reordered);
  archive.extra("cached", packets.cached);
  archive.extra("mega_flow_hits", packets.mega_flow_hits);
}

template <class Archive, Is<PacketLatencyRecord> R>
void describe(Archive& archive, R& latency) {
  archive.key("min", latency.min);
  archive.key("p50", latency.p50);
  archive.key("p90", latency.p90);
  archive.key("p99", latency.p99);
  archive.key("max", latency.max);
  archive.extra("total", latency.total);
}

template <class Archive, Is<ReferenceLatency> R>
void describe(Archive& archive, R& latency) {
  archive.key("mean", latency.mean);
  archive.key("p99", latency.p99);
  archive.extra("total", latency.total);
}

template <class Archive, Is<ReferenceSum> R>
void describe(Archive& archive, R& sum) {
  archive.key("references", sum.references);
  archive.key("longwords", sum.longwords);
}

template <class Archive, Is<WorkCycles> R>
void describe(Archive& archive, R& cycles) {
  archive.key("useful", cycles.useful);
  archive.key("starved", cycles.starved);
  archive.key("blocked", cycles.blocked);
  archive.key("lock_spin", cycles.lock_spin);
}

template <class Archive, Is<MemoryRecord> R>
void describe(Archive& archive, R& unit) {
  archive.key("active_pct", unit.active_pct);
  archive.key("mbps", unit.mbps);
  archive.key("references", unit.references);
  archive.key("longwords", unit.longwords);
  archive.key("queue_peak", unit.queue_peak);
  archive.key("latency_cycles", unit.latency_cycles);
  archive.extra("transferred_mbps", unit.transferred_mbps);
  archive.extra("active_cycles", unit.active_cycles);
  archive.extra("peak_mbps", unit.peak_mbps);
  archive.extra("under_way", unit.under_way);
  archive.extra("by_core", unit.by_core);
  archive.extra("delay_cycles", unit.delay_cycles);
  archive.extra("work_cycles", unit.work_cycles);
  archive.extra("useful_pct", unit.useful_pct);
  archive.extra("polling_pct", unit.polling_pct);
}

template <class Archive, Is<Memory> R>
void describe(Archive& archive, R& memory) {
  archive.key("sram", memory.sram);
  archive.key("sdram", memory.sdram);
  archive.key("scratch", memory.scratch);
}

template <class Archive, Is<CacheRecord> R>
void describe(Archive& archive, R& cache) {
  archive.key("references", cache.references);
  archive.key("forwarded", cache.forwarded);
  archive.key("read_hits", cache.read_hits);
  archive.key("read_misses", cache.read_misses);
  archive.key("write_hits", cache.write_hits);
  archive.key("write_misses", cache.write_misses);
  archive.key("merged", cache.merged);
  archive.key("fetched", cache.fetched);
  archive.key("upgraded", cache.upgraded);
  archive.key("not_allocated", cache.not_allocated);
  archive.key("under_way", cache.under_way);
  archive.key("from_caches", cache.from_caches);
  archive.key("replaced", cache.replaced);
  archive.key("invalidated", cache.invalidated);
  archive.key("written_back", cache.written_back);
  archive.key("lines_held", cache.lines_held);
}

template <class Archive, Is<CachesRecord> R>
void describe(Archive& archive, R& caches) {
  archive.key("memory", caches.memory);
  archive.key("sharing", caches.sharing);
  archive.key("lines", caches.lines);
  archive.key("line_bytes", caches.line_bytes);
  archive.key("ways", caches.ways);
  archive.key("caches", caches.caches);
  archive.key("bus_transactions", caches.bus_transactions);
  archive.key("bus_held_cycles", caches.bus_held_cycles);
  archive.key("bus_waited_cycles", caches.bus_waited_cycles);
  archive.key("lines_read", caches.lines_read);
  archive.key("lines_written", caches.lines_written);
  archive.key("lines_to_read", caches.lines_to_read);
  archive.key("lines_to_write", caches.lines_to_write);
  archive.key("hit_pct", caches.hit_pct);
  archive.key("bus_pct", caches.bus_pct);
}

template <class Archive, Is<EngineCycles> R>
void describe(Archive& archive, R& cycles) {
  archive.key("executing", cycles.executing);
  archive.key("aborted", cycles.aborted);
  archive.key("stalled", cycles.stalled);
  archive.key("idle", cycles.idle);
}

template <class Archive, Is<Thread> R>
void describe(Archive& archive, R& thread) {
  archive.key("id", thread.id);
  archive.key("executing", thread.executing);
  archive.key("aborted", thread.aborted);
  archive.key("stalled", thread.stalled);
  archive.key("ready", thread.ready);
  archive.key("waiting", thread.waiting);
  archive.key("off", thread.off);
  archive.counts("waiting_on", thread.waiting_on);
  archive.counts("idle", thread.idle);
}

template <class Archive, Is<Engine> R>
void describe(Archive& archive, R& engine) {
  archive.key("id", engine.id);
  archive.key("role", engine.role);
  archive.key("program", engine.program);
  archive.key("cycles", engine.cycles);
  archive.key("executing_pct", engine.executing_pct);
  archive.key("aborted_pct", engine.aborted_pct);
  archive.key("stalled_pct", engine.stalled_pct);
  archive.key("idle_pct", engine.idle_pct);
  archive.key("mips", engine.mips);
  archive.key("instructions", engine.instructions);
  archive.key("words", engine.words);
  archive.extra("calibration_cycles", engine.calibration_cycles);
  archive.extra("calibration_pct", engine.calibration_pct);
  archive.extra("work_cycles", engine.work_cycles);
  archive.extra("useful_pct", engine.useful_pct);
  archive.extra("starved_pct", engine.starved_pct);
  archive.extra("blocked_pct", engine.blocked_pct);
  archive.extra("lock_spin_pct", engine.lock_spin_pct);
  archive.extra("polling_pct", engine.polling_pct);
  archive.key("threads", engine.threads);
  archive.key("aborted_by", engine.aborted_by);
  archive.counts("stalled_on", engine.stalled_on);
}

template <class Archive, Is<Line> R>
void describe(Archive& archive, R& line) {
  archive.key("engine", line.engine);
  archive.key("file", line.file);
  archive.key("line", line.line);
  archive.key("poll", line.poll);
  archive.extra("work", line.work);
  archive.key("executing", line.executing);
  archive.key("aborted", line.aborted);
  archive.key("stalled", line.stalled);
  archive.key("waiting", line.waiting);
  archive.counts("stalled_on", line.stalled_on);
  archive.counts("waiting_on", line.waiting_on);
  archive.counts("references", line.references);
  archive.counts("longwords", line.longwords);
  archive.counts("bus_cycles", line.bus_cycles);
  archive.counts("cache_hits", line.cache_hits);
  archive.counts("cache_misses", line.cache_misses);
}

template <class Archive, Is<Program> R>
void describe(Archive& archive, R& program) {
  archive.key("engine", program.engine);
  archive.key("assembly", program.assembly);
  archive.key("files", program.files);
  const std::size_t words = program.assembly.size();
  archive.column("file", program.file, words);
  archive.column("line", program.line, words);
  archive.column("executing", program.executing, words);
  archive.column("aborted", program.aborted, words);
  archive.column("stalled", program.stalled, words);
  archive.column("waiting", program.waiting, words);
  archive.column("references", program.references, words);
  archive.column("longwords", program.longwords, words);
  archive.column("next", program.next, words);
}

template <class Archive, Is<Source> R>
void describe(Archive& archive, R& source) {
  archive.key("file", source.file);
  archive.key("text", source.text);
}

template <class Archive, Is<QueueRecord> R>
void describe(Archive& archive, R& queue) {
  archive.key("name", queue.name);
  archive.key("entries", queue.entries);
  archive.key("peak", queue.peak);
  archive.key("enqueued", queue.enqueued);
  archive.key("dequeued", queue.dequeued);
  archive.key("refused", queue.refused);
  archive.extra("rings", queue.rings);
  archive.extra("from", queue.from);
  archive.extra("to", queue.to);
  archive.extra("memory", queue.memory);
}

template <class Archive, Is<StageRecord> R>
void describe(Archive& archive, R& stage) {
  archive.key("name", stage.name);
  archive.key("role", stage.role);
  archive.key("threads", stage.threads);
  archive.extra("tasks", stage.tasks);
  archive.extra("program", stage.program);
}

template <class Archive, Is<MemoryRangeRecord> R>
void describe(Archive& archive, R& range) {
  archive.key("memory", range.memory);
  archive.key("purpose", range.purpose);
  archive.key("base", range.base);
  archive.key("bytes", range.bytes);
}

template <class Archive, Is<LatencyBucket> R>
void describe(Archive& archive, R& bucket) {
  archive.key("from", bucket.from);
  archive.key("to", bucket.to);
  archive.key("count", bucket.count);
}

template <class Archive, Is<MemorySeries> R>
void describe(Archive& archive, R& series) {
  archive.key("active_cycles", series.active_cycles);
  archive.key("references", series.references);
}

template <class Archive, Is<QueueSeries> R>
void describe(Archive& archive, R& series) {
  archive.key("name", series.name);
  archive.key("entries", series.entries);
}

template <class Archive, Is<MatchSeries> R>
void describe(Archive& archive, R& series) {
  archive.key("lookups", series.lookups);
  archive.key("looked_up", series.looked_up);
  archive.key("bursts", series.bursts);
  archive.key("sessions", series.sessions);
}

template <class Archive, Is<Samples> R>
void describe(Archive& archive, R& samples) {
  archive.key("interval_cycles", samples.interval_cycles);
  archive.key("received", samples.received);
  archive.key("sent", samples.sent);
  archive.key("in_flight", samples.in_flight);
  archive.extra("received_bytes", samples.received_bytes);
  archive.extra("sent_bytes", samples.sent_bytes);
  archive.key("sram", samples.sram);
  archive.key("sdram", samples.sdram);
  archive.key("scratch", samples.scratch);
  archive.key("queues", samples.queues);
  archive.extra("match", samples.match);
}

template <class Archive, Is<Steady> R>
void describe(Archive& archive, R& steady) {
  archive.key("from_cycle", steady.from_cycle);
  archive.key("reached", steady.reached);
  archive.key("rates_mbps", steady.rates_mbps);
  archive.key("latency_cycles", steady.latency_cycles);
}

template <class Archive, Is<ThroughputTrial> R>
void describe(Archive& archive, R& trial) {
  archive.key("offered_mbps", trial.offered_mbps);
  archive.key("loss_pct", trial.loss_pct);
  archive.key("accumulation_pct", trial.accumulation_pct);
  archive.key("passed", trial.passed);
}

template <class Archive, Is<Throughput> R>
void describe(Archive& archive, R& throughput) {
  archive.key("offered_mbps", throughput.offered_mbps);
  archive.key("allowed_loss_pct", throughput.allowed_loss_pct);
  archive.key("resolution_pct", throughput.resolution_pct);
  archive.key("trials", throughput.trials);
}

template <class Archive, Is<TableUse> R>
void describe(Archive& archive, R& table) {
  archive.key("name", table.name);
  archive.key("memory", table.memory);
  archive.key("bytes", table.bytes);
  archive.key("references", table.references);
}

template <class Archive, Is<UpdateLatency> R>
void describe(Archive& archive, R& latency) {
  archive.key("mean", latency.mean);
  archive.key("max", latency.max);
  archive.key("total", latency.total);
}

template <class Archive, Is<Updates> R>
void describe(Archive& archive, R& updates) {
  archive.key("asked", updates.asked);
  archive.key("inserts", updates.inserts);
  archive.key("deletes", updates.deletes);
  archive.key("rules_at_start", updates.rules_at_start);
  archive.key("rules_at_stop", updates.rules_at_stop);
  archive.key("first_cycle", updates.first_cycle);
  archive.key("last_cycle", updates.last_cycle);
  archive.key("updates_per_s", updates.updates_per_s);
  archive.key("references", updates.references);
  archive.key("longwords_written", updates.longwords_written);
  archive.key("waits", updates.waits);
  archive.key("wait_cycles", updates.wait_cycles);
  archive.key("latency_cycles", updates.latency_cycles);
  archive.key("contested_packets", updates.contested_packets);
}

template <class Archive, Is<Failure> R>
void describe(Archive& archive, R& failure) {
  archive.key("kind", failure.kind);
  archive.key("message", failure.message);
  archive.extra("details", failure.details);
}

template <class Archive, Is<Host> R>
void describe(Archive& archive, R& host) {
  archive.key("wall_s", host.wall_s);
  archive.key("core_cycles_per_s", host.core_cycles_per_s);
  archive.key("instructions_per_s", host.instructions_per_s);
  archive.extra("simulation_s", host.simulation_s);
  archive.extra("build_s", host.build_s);
}

template <class Archive, Is<TimelineThread> R>
void describe(Archive& archive, R& thread) {
  archive.key("engine", thread.engine);
  archive.key("thread", thread.thread);
  archive.key("from", thread.from);
  archive.key("state", thread.state);
  archive.key("place", thread.place);
}

template <class Archive, Is<Timeline> R>
void describe(Archive& archive, R& timeline) {
  archive.key("from", timeline.from);
  archive.key("to", timeline.to);
  archive.key("states", timeline.states);
  archive.key("places", timeline.places);
  archive.key("threads", timeline.threads);
  archive.extra("ranges", timeline.ranges);
  archive.extra("queues", timeline.queues);
}

template <class Archive, Is<TimelineRange> R>
void describe(Archive& archive, R& range) {
  archive.key("from", range.from);
  archive.key("to", range.to);
  archive.extra("name", range.name);
}

template <class Archive, Is<TimelineQueue> R>
void describe(Archive& archive, R& queue) {
  archive.key("name", queue.name);
  archive.key("entries", queue.entries);
  archive.key("from", queue.from);
  archive.key("depth", queue.depth);
}

template <class Archive, Is<StateActivity> R>
void describe(Archive& archive, R& state) {
  archive.key("state", state.state);
  archive.key("cycles", state.cycles);
}

template <class Archive, Is<ThreadActivity> R>
void describe(Archive& archive, R& thread) {
  archive.key("engine", thread.engine);
  archive.key("thread", thread.thread);
  archive.key("states", thread.states);
}

template <class Archive, Is<MemoryActivity> R>
void describe(Archive& archive, R& memory) {
  archive.key("name", memory.name);
  archive.key("active_cycles", memory.active_cycles);
  archive.key("references", memory.references);
}

template <class Archive, Is<QueueActivity> R>
void describe(Archive& archive, R& queue) {
  archive.key("name", queue.name);
  archive.key("entries", queue.entries);
  archive.key("depth", queue.depth);
}

template <class Archive, Is<LineActivity> R>
void describe(Archive& archive, R& line) {
  archive.key("engine", line.engine);
  archive.key("place", line.place);
  archive.key("executing", line.executing);
  archive.key("aborted", line.aborted);
  archive.key("stalled", line.stalled);
  archive.key("waiting", line.waiting);
}

template <class Archive, Is<EngineActivity> R>
void describe(Archive& archive, R& engine) {
  archive.key("engine", engine.engine);
  archive.key("useful", engine.useful);
  archive.key("starved", engine.starved);
  archive.key("blocked", engine.blocked);
  archive.key("lock_spin", engine.lock_spin);
  archive.key("aborted", engine.aborted);
  archive.key("stalled", engine.stalled);
}

template <class Archive, Is<Activity> R>
void describe(Archive& archive, R& activity) {
  archive.key("interval_cycles", activity.interval_cycles);
  archive.key("threads", activity.threads);
  archive.key("memory", activity.memory);
  archive.key("queues", activity.queues);
  archive.key("line_interval_cycles", activity.line_interval_cycles);
  archive.key("lines", activity.lines);
  archive.extra("engines", activity.engines);
}

template <class Archive, Is<BoundRecord> R>
void describe(Archive& archive, R& bound) {
  archive.key("resource", bound.resource);
  archive.key("use_pct", bound.use_pct);
  archive.key("useful_pct", bound.useful_pct);
  archive.key("gain_if_removed_pct", bound.gain_if_removed_pct);
}

template <class Archive, Is<VerdictRecord> R>
void describe(Archive& archive, R& verdict) {
  archive.key("best", verdict.best);
  archive.key("bound", verdict.bound);
  archive.key("sentences", verdict.sentences);
}

// All but `schema`, which the reader judges first.
template <class Archive, Is<RunRecord> R>
void describe(Archive& archive, R& record) {
  archive.key("tool", record.tool);
  archive.key("inputs", record.inputs);
  archive.key("seed", record.seed);
  archive.key("options", record.options);
  archive.key("cycles", record.cycles);
  archive.key("simulated_seconds", record.simulated_seconds);
  archive.key("ports", record.ports);
  archive.key("packets", record.packets);
  archive.key("rates_mbps", record.rates_mbps);
  archive.key("latency_cycles", record.latency_cycles);
  archive.key("memory", record.memory);
  archive.key("engines", record.engines);
  archive.key("lines", record.lines);
  archive.key("host", record.host);
  archive.extra("left_out", record.left_out);
  archive.extra("clocks", record.clocks);
  archive.extra("first_start_cycle", record.first_start_cycle);
  archive.extra("queues", record.queues);
  archive.extra("stages", record.stages);
  archive.extra("memory_map", record.memory_map);
  archive.extra("latency_histogram", record.latency_histogram);
  archive.extra("samples", record.samples);
  archive.extra("steady", record.steady);
  archive.extra("throughput", record.throughput);
  archive.extra("timeline", record.timeline);
  archive.extra("activity", record.activity);
  archive.extra("tables", record.tables);
  archive.extra("updates", record.updates);
  archive.extra("built", record.built);
  archive.extra("programs", record.programs);
  archive.extra("sources", record.sources);
  archive.extra("workload", record.workload);
  archive.extra("mode", record.mode);
  archive.extra("window_cycles", record.window_cycles);
  archive.extra("state_hash", record.state_hash);
  archive.extra("failure", record.failure);
  archive.extra("verdict", record.verdict);
  archive.extra("classification_cycles", record.classification_cycles);
  archive.extra("classification_histogram", record.classification_histogram);
  archive.extra("caches", record.caches);
  archive.extra("dram", record.dram);
  archive.extra("match", record.match);
}

}  // namespace nplab::reports
