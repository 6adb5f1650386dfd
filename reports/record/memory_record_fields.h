// The JSON keys of a record's DDR4 memory and match unit, as reports/record/run_record_fields.h has
// those of the other parts.
#pragma once

#include "reports/record/dram_record.h"
#include "reports/record/match_record.h"
#include "reports/record/record_type.h"

namespace nplab::reports {

template <class Archive, Is<DramChannel> R>
void describe(Archive& archive, R& channel) {
  archive.key("reads", channel.reads);
  archive.key("writes", channel.writes);
  archive.key("row_hits", channel.row_hits);
  archive.key("row_misses", channel.row_misses);
  archive.key("row_conflicts", channel.row_conflicts);
  archive.key("from_write_queue", channel.from_write_queue);
  archive.key("merged_writes", channel.merged_writes);
  archive.key("write_batches", channel.write_batches);
  archive.key("waiting_reads", channel.waiting_reads);
  archive.key("waiting_writes", channel.waiting_writes);
  archive.key("data_clocks", channel.data_clocks);
  archive.counts("commands", channel.commands);
  archive.key("row_hit_pct", channel.row_hit_pct);
  archive.key("bus_pct", channel.bus_pct);
}

template <class Archive, Is<DramRecord> R>
void describe(Archive& archive, R& dram) {
  archive.key("memory", dram.memory);
  archive.key("model", dram.model);
  archive.key("speed", dram.speed);
  archive.key("memory_clocks", dram.memory_clocks);
  archive.key("core_cycles", dram.core_cycles);
  archive.key("clocks", dram.clocks);
  archive.key("clocks_per_burst", dram.clocks_per_burst);
  archive.key("bursts_read", dram.bursts_read);
  archive.key("bursts_written", dram.bursts_written);
  archive.key("channels", dram.channels);
  archive.key("row_hit_pct", dram.row_hit_pct);
  archive.key("bus_pct", dram.bus_pct);
}

template <class Archive, Is<MatchQueue> R>
void describe(Archive& archive, R& queue) {
  archive.key("places", queue.places);
  archive.key("most_held", queue.most_held);
  archive.key("held_cycles", queue.held_cycles);
  archive.key("held_pct", queue.held_pct);
}

template <class Archive, Is<MatchLatency> R>
void describe(Archive& archive, R& latency) {
  archive.key("mean", latency.mean);
  archive.key("max", latency.max);
  archive.key("total", latency.total);
}

template <class Archive, Is<MatchRecord> R>
void describe(Archive& archive, R& match) {
  archive.key("unit", match.unit);
  archive.key("unit_cycles", match.unit_cycles);
  archive.key("core_cycles", match.core_cycles);
  archive.key("cycles", match.cycles);
  archive.key("keys_posted", match.keys_posted);
  archive.key("lookups", match.lookups);
  archive.key("matched", match.matched);
  archive.key("matched_bytes", match.matched_bytes);
  archive.key("under_way", match.under_way);
  archive.key("answers_read", match.answers_read);
  archive.key("reads_that_waited", match.reads_that_waited);
  archive.key("read_wait_cycles", match.read_wait_cycles);
  archive.key("posts_that_waited", match.posts_that_waited);
  archive.key("post_wait_cycles", match.post_wait_cycles);
  archive.key("latency_cycles", match.latency_cycles);
  archive.key("references", match.references);
  archive.key("most_requests", match.most_requests);
  archive.key("sessions", match.sessions);
  archive.key("cycles_without_session", match.cycles_without_session);
  archive.key("looked_up", match.looked_up);
  archive.key("hits", match.hits);
  archive.key("misses", match.misses);
  archive.key("fills", match.fills);
  archive.key("written_back", match.written_back);
  archive.key("load_queue", match.load_queue);
  archive.key("merged", match.merged);
  archive.key("forwarded", match.forwarded);
  archive.key("cancelled", match.cancelled);
  archive.key("dropped", match.dropped);
  archive.key("repeated", match.repeated);
  archive.key("store_queue", match.store_queue);
  archive.key("merged_stores", match.merged_stores);
  archive.key("passes", match.passes);
  archive.key("memory_full_cycles", match.memory_full_cycles);
  archive.key("updates", match.updates);
  archive.key("updates_refused", match.updates_refused);
  archive.key("inexact_rules", match.inexact_rules);
  archive.key("dram", match.dram);
  archive.key("hit_pct", match.hit_pct);
  archive.key("input_pct", match.input_pct);
  archive.key("memory_full_pct", match.memory_full_pct);
  archive.key("busiest", match.busiest);
  archive.key("use_pct", match.use_pct);
}

}  // namespace nplab::reports
