#include "reports/analysis/derive.h"
#include "reports/analysis/memories/caches.h"
#include "reports/analysis/memories/dram.h"
#include "reports/analysis/memories/match.h"

#include <algorithm>

namespace nplab::reports {
namespace {

constexpr double kMillion = 1e6;
constexpr double kBitsPerByte = 8;
constexpr double kBitsPerLongword = 32;
constexpr double kGapBytes = 12;  // inter-frame gap, counted with each frame in the published rates

double ratio(double numerator, double denominator) {
  return denominator == 0 ? 0 : numerator / denominator;
}

// Multiplies first: counts and clocks are whole numbers, so that only the division rounds.
double per_second(double amount, Count cycles, Count hz) {
  return ratio(amount * static_cast<double>(hz), static_cast<double>(cycles));
}

void fill_memory(MemoryRecord& unit, const RunRecord& record) {
  unit.active_pct = percentage(unit.active_cycles, record.cycles.core);
  unit.mbps = active_mbps(unit.active_cycles, record.cycles.core, unit.peak_mbps);
  unit.transferred_mbps =
      transferred_mbps(unit.longwords, record.cycles.core, record.clocks.core_hz);
  unit.latency_cycles.mean =
      ratio(static_cast<double>(unit.latency_cycles.total), static_cast<double>(unit.references));
  if (unit.work_cycles) {
    const WorkCycles& work = *unit.work_cycles;
    unit.useful_pct = percentage(work.useful, record.cycles.core);
    unit.polling_pct = percentage(work.starved + work.blocked + work.lock_spin, record.cycles.core);
  }
}

void fill_engine(Engine& engine, const RunRecord& record) {
  engine.executing_pct = percentage(engine.cycles.executing, record.cycles.core);
  engine.aborted_pct = percentage(engine.cycles.aborted, record.cycles.core);
  engine.stalled_pct = percentage(engine.cycles.stalled, record.cycles.core);
  engine.idle_pct = percentage(engine.cycles.idle, record.cycles.core);
  if (engine.calibration_cycles)
    engine.calibration_pct = percentage(*engine.calibration_cycles, record.cycles.core);
  if (engine.work_cycles) {
    const auto share = [&](Count cycles) { return percentage(cycles, record.cycles.core); };
    const WorkCycles& work = *engine.work_cycles;
    engine.useful_pct = share(work.useful);
    engine.starved_pct = share(work.starved);
    engine.blocked_pct = share(work.blocked);
    engine.lock_spin_pct = share(work.lock_spin);
    engine.polling_pct = share(work.starved + work.blocked + work.lock_spin);
  }
  engine.mips = mips(engine.instructions, record.cycles.core, record.clocks.core_hz);
}

void fill_rates(RunRecord& record) {
  const FirstStart& start = record.first_start_cycle;
  const Count stop = record.cycles.core;
  const Count hz = record.clocks.core_hz;
  Port sum;
  for (Port& port : record.ports) {
    port.rates_mbps.receive =
        wire_mbps(port.received, port.frame_bytes.receive, start.receive, stop, hz);
    port.rates_mbps.transmit =
        wire_mbps(port.sent, port.frame_bytes.transmit, start.transmit, stop, hz);
    sum.received += port.received;
    sum.sent += port.sent;
    sum.frame_bytes.receive += port.frame_bytes.receive;
    sum.frame_bytes.transmit += port.frame_bytes.transmit;
  }
  record.rates_mbps.receive =
      wire_mbps(sum.received, sum.frame_bytes.receive, start.receive, stop, hz);
  record.rates_mbps.transmit =
      wire_mbps(sum.sent, sum.frame_bytes.transmit, start.transmit, stop, hz);
}

void fill_updates(Updates& updates, const RunRecord& record) {
  const Count done = updates.inserts + updates.deletes;
  updates.updates_per_s = per_second(
      static_cast<double>(done), updates.last_cycle - updates.first_cycle, record.clocks.core_hz);
  updates.latency_cycles.mean =
      ratio(static_cast<double>(updates.latency_cycles.total), static_cast<double>(done));
}

}  // namespace

double percentage(Count part, Count total) {
  return ratio(100.0 * static_cast<double>(part), static_cast<double>(total));
}

double seconds(Count cycles, Count hz) {
  return ratio(static_cast<double>(cycles), static_cast<double>(hz));
}

double mips(Count instructions, Count cycles, Count core_hz) {
  return per_second(static_cast<double>(instructions), cycles, core_hz) / kMillion;
}

double active_mbps(Count active_cycles, Count cycles, double peak_mbps) {
  return ratio(static_cast<double>(active_cycles), static_cast<double>(cycles)) * peak_mbps;
}

double transferred_mbps(Count longwords, Count cycles, Count core_hz) {
  return per_second(static_cast<double>(longwords) * kBitsPerLongword, cycles, core_hz) / kMillion;
}

double wire_mbps(Count frames, Count frame_bytes, std::optional<Count> first_start, Count stop,
                 Count core_hz) {
  if (!first_start || *first_start >= stop)
    return 0;
  const double bits =
      (static_cast<double>(frame_bytes) + kGapBytes * static_cast<double>(frames)) * kBitsPerByte;
  return per_second(bits, stop - *first_start, core_hz) / kMillion;
}

PacketLatencyRecord summarise_latencies(std::vector<Count> latencies) {
  if (latencies.empty())
    return {};
  std::sort(latencies.begin(), latencies.end());
  const auto rank = [&](std::size_t percent) {
    const std::size_t position =
        (latencies.size() * percent + 99) / 100;  // nearest rank, counting from 1
    return latencies[position - 1];
  };
  return {latencies.front(), rank(50), rank(90), rank(99), latencies.back()};
}

void fill_derived(RunRecord& record) {
  record.simulated_seconds = seconds(record.cycles.core, record.clocks.core_hz);
  fill_rates(record);
  for (MemoryRecord* unit : {&record.memory.sram, &record.memory.sdram, &record.memory.scratch}) {
    fill_memory(*unit, record);
  }
  if (record.updates)
    fill_updates(*record.updates, record);
  if (record.caches)
    fill_caches(*record.caches, record.cycles.core);
  if (record.dram)
    fill_dram(*record.dram);
  if (record.match)
    fill_match(*record.match);
  Count instructions = 0;
  for (Engine& engine : record.engines) {
    fill_engine(engine, record);
    instructions += engine.instructions;
  }
  Host& host = record.host;
  host.core_cycles_per_s = ratio(static_cast<double>(record.cycles.core), host.simulation_s);
  host.instructions_per_s = ratio(static_cast<double>(instructions), host.simulation_s);
}

}  // namespace nplab::reports
