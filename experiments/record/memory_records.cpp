#include "experiments/record/memory_records.h"

namespace nplab::experiments {
namespace {

reports::DramChannel channel_record(const simulator::DramUse::Channel& channel) {
  const auto& [c, waiting_reads, waiting_writes] = channel;
  const auto misses = c.reads + c.writes - c.row_hits - c.row_conflicts;
  reports::DramChannel record{c.reads,         c.writes,           c.row_hits,      misses,
                              c.row_conflicts, c.from_write_queue, c.merged_writes, c.write_batches,
                              waiting_reads,   waiting_writes,     c.data_clocks};
  for (unsigned command = 0; command < simulator::dram::kDramCommands; ++command)
    if (c.commands[command] != 0)
      record.commands[std::string(simulator::dram::kCommandNames[command])] = c.commands[command];
  return record;
}

reports::DramRecord dram_record(const simulator::DramUse& use, const char* memory,
                                simulator::dram::Speed speed) {
  reports::DramRecord dram;
  dram.memory = memory;
  dram.model = "ddr4";
  dram.speed = simulator::dram::speed_row(speed).name;
  dram.memory_clocks = use.memory_clocks;
  dram.core_cycles = use.core_cycles;
  dram.clocks = use.clocks;
  dram.clocks_per_burst = simulator::dram::Ddr4Timing{}.burst;
  dram.bursts_read = use.bursts_read;
  dram.bursts_written = use.bursts_written;
  for (const simulator::DramUse::Channel& channel : use.channels)
    dram.channels.push_back(channel_record(channel));
  return dram;
}

void fill_lookups(const simulator::match::MatchUnitCounters& counters,
                  reports::MatchRecord& match) {
  match.keys_posted = counters.posted;
  match.lookups = counters.answered;
  match.matched = counters.matched;
  match.matched_bytes = counters.matched_bytes;
  match.updates = counters.updates;
  match.updates_refused = counters.updates_refused;
  match.under_way = counters.posted - counters.answered;
  match.answers_read = counters.answers_read;
  match.reads_that_waited = counters.reads_that_waited;
  match.read_wait_cycles = counters.read_wait;
  match.posts_that_waited = counters.posts_that_waited;
  match.post_wait_cycles = counters.post_wait;
  match.latency_cycles = {0, counters.longest_latency, counters.total_latency};
  match.references = counters.references;
  match.most_requests = counters.most_waiting;
}

}  // namespace

void fill_dram_record(const simulator::SdramDescription& sdram,
                      const simulator::SimulationResult& result, reports::RunRecord& record) {
  if (result.dram)
    record.dram = dram_record(*result.dram, "sdram", sdram.speed);
}

void fill_match_record(const simulator::MatchUnitParameters& unit,
                       const simulator::SimulationResult& result, reports::RunRecord& record) {
  if (!result.match)
    return;
  const simulator::MatchUse& use = *result.match;
  reports::MatchRecord& match = record.match.emplace();
  match.unit = "match";
  match.unit_cycles = use.unit_clocks;
  match.core_cycles = use.core_cycles;
  match.cycles = use.clocks;
  fill_lookups(use.counters, match);
  match.sessions = {unit.sessions, use.input.most_held, use.input.held_sessions};
  match.cycles_without_session = use.input.without_session;
  match.looked_up = use.input.sent;
  match.hits = use.cache.hits;
  match.misses = use.cache.misses;
  match.fills = use.cache.fills;
  match.written_back = use.cache.written_back;
  match.load_queue = {unit.load_queue, use.loads.most_held, use.loads.held_places};
  match.merged = use.loads.merged;
  match.forwarded = use.loads.forwarded;
  match.cancelled = use.loads.cancelled;
  match.dropped = use.loads.dropped;
  match.repeated = use.loads.repeated;
  match.store_queue = {unit.store_queue, use.stores.most_held, use.stores.held_places};
  match.merged_stores = use.stores.merged;
  match.passes = use.actions.passes;
  match.memory_full_cycles = use.memory_full_cycles;
  match.inexact_rules = use.inexact_rules;
  match.dram = dram_record(use.dram, "match", unit.speed);
}

}  // namespace nplab::experiments
