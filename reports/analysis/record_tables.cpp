#include "reports/analysis/record_tables.h"
#include "reports/tables/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "reports/analysis/cause_tables.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/memories/caches.h"
#include "reports/analysis/memories/dram.h"
#include "reports/analysis/memories/match.h"
#include "reports/analysis/source_lines.h"

namespace nplab::reports {
namespace {

Cell count(Count value, std::string unit) {
  return {value, std::move(unit), 0};
}
Cell figure(double value, std::string unit, int decimals) {
  return {value, std::move(unit), decimals};
}
Cell percent(double value) {
  return figure(value, "%", 1);
}
Cell rate(double value) {
  return figure(value, "Mb/s", 1);
}
Cell text(std::string value) {
  return {std::move(value), "", 0};
}

const std::vector<Column> kList = {{"value", ""}};

// A latency is a figure only when something was measured.
Cell latency(Count value, Count measured) {
  return measured == 0 ? Cell{{}, "cycles", 0} : count(value, "cycles");
}

Table overall_table(const RunRecord& r) {
  Table table{"overall", "Overall", kList, {}};
  const auto add = [&](std::string id, std::string label, Cell cell) {
    table.rows.push_back({std::move(id), std::move(label), {std::move(cell)}});
  };
  add("microengine_cycles", "microengine cycles", count(r.cycles.core, "cycles"));
  add("ix_bus_cycles", "IX bus cycles", count(r.cycles.ix_bus, "cycles"));
  add("packets_received", "packets received", count(r.packets.received, "packets"));
  add("packets_sent", "packets sent", count(r.packets.sent, "packets"));
  add("sent_per_received", "sent / received",
      percent(percentage(r.packets.sent, r.packets.received)));
  add("receive_rate", "receive rate", rate(r.rates_mbps.receive));
  add("transmit_rate", "transmit rate", rate(r.rates_mbps.transmit));
  add("sdram_active", "SDRAM active", percent(r.memory.sdram.active_pct));
  add("sdram_rate", "SDRAM rate", rate(r.memory.sdram.mbps));
  add("sram_active", "SRAM active", percent(r.memory.sram.active_pct));
  add("sram_rate", "SRAM rate", rate(r.memory.sram.mbps));
  add("scratch_active", "scratch active", percent(r.memory.scratch.active_pct));
  add("scratch_rate", "scratch rate", rate(r.memory.scratch.mbps));
  return table;
}

Table packets_table(const RunRecord& r) {
  Table table{"packets", "Packets", kList, {}};
  const Packets& p = r.packets;
  const auto add = [&](std::string id, std::string label, Count value) {
    table.rows.push_back({std::move(id), std::move(label), {count(value, "packets")}});
  };
  add("offered", "offered", p.offered);
  add("missed_by_media", "missed by the media device", p.missed_by_media);
  add("received", "received", p.received);
  add("sent", "sent", p.sent);
  add("denied", "denied", p.denied);
  add("no_match", "no match", p.no_match);
  add("dropped_queue_full", "dropped, queue full", p.dropped_queue_full);
  for (const auto& [reason, dropped] : p.dropped_other)
    add("dropped_other." + reason, "dropped, " + reason, dropped);
  add("in_flight", "in flight at the stop", p.in_flight);
  add("classified", "classified", p.classified);
  add("misclassified", "misclassified", p.misclassified);
  if (p.cached)
    add("cached", "known to the flow cache", *p.cached);
  if (p.mega_flow_hits)
    add("mega_flow_hits", "known to the mega flows", *p.mega_flow_hits);
  add("reordered", "reordered", p.reordered);
  add("reordered_within_port", "reordered within a port", p.reordered_within_port);
  const PacketLatencyRecord& l = r.latency_cycles;
  const auto add_latency = [&](const std::string& id, const std::string& label, Count value) {
    table.rows.push_back({"latency_" + id, "latency, " + label, {latency(value, p.sent)}});
  };
  add_latency("min", "min", l.min);
  add_latency("p50", "median", l.p50);
  add_latency("p90", "90th percentile", l.p90);
  add_latency("p99", "99th percentile", l.p99);
  add_latency("max", "max", l.max);
  if (r.classification_cycles) {
    const auto add_time = [&](const std::string& id, const std::string& label, Count value) {
      table.rows.push_back(
          {"classification_" + id, "classification time, " + label, {count(value, "cycles")}});
    };
    add_time("p50", "median", r.classification_cycles->p50);
    add_time("p90", "90th percentile", r.classification_cycles->p90);
    add_time("p99", "99th percentile", r.classification_cycles->p99);
    add_time("max", "max", r.classification_cycles->max);
  }
  return table;
}

// Empty for a record of before it was looked for.
Table steady_table(const RunRecord& r) {
  Table table{"steady", "Steady state", kList, {}};
  if (!r.steady)
    return table;
  const auto add = [&](std::string id, std::string label, Cell cell) {
    if (!r.steady->reached)
      cell.value = std::monostate{};
    table.rows.push_back({"steady_" + std::move(id), std::move(label), {std::move(cell)}});
  };
  const Steady& steady = *r.steady;
  add("from", "from cycle", count(steady.from_cycle, "cycles"));
  add("receive_rate", "receive rate", rate(steady.rates_mbps.receive));
  add("transmit_rate", "transmit rate", rate(steady.rates_mbps.transmit));
  add("latency_p50", "latency, median",
      latency(steady.latency_cycles.p50, steady.latency_cycles.max));
  add("latency_p99", "latency, 99th percentile",
      latency(steady.latency_cycles.p99, steady.latency_cycles.max));
  return table;
}

// Empty unless the throughput was searched for.
Table throughput_table(const RunRecord& r) {
  Table table{"throughput", "Throughput", kList, {}};
  if (!r.throughput)
    return table;
  const auto add = [&](std::string id, std::string label, Cell cell) {
    table.rows.push_back({"throughput_" + std::move(id), std::move(label), {std::move(cell)}});
  };
  add("offered", "highest rate offered", rate(r.throughput->offered_mbps));
  add("loss", "loss allowed", figure(r.throughput->allowed_loss_pct, "%", 3));
  add("resolution", "resolution, of line rate", figure(r.throughput->resolution_pct, "%", 2));
  add("trials", "trials", count(r.throughput->trials.size(), "runs"));
  return table;
}

Table engines_table(const RunRecord& r) {
  Table table{"engines",
              "Microengines",
              {{"role", "role"},
               {"executing", "executing"},
               {"aborted", "aborted"},
               {"stalled", "stalled"},
               {"idle", "idle"},
               {"mips", "Mips"},
               {"instructions", "instructions"},
               {"words", "words"}},
              {}};
  for (const Engine& e : r.engines) {
    table.rows.push_back({fmt::format("{}", e.id),
                          fmt::format("engine {}", e.id),
                          {text(e.role), percent(e.executing_pct), percent(e.aborted_pct),
                           percent(e.stalled_pct), percent(e.idle_pct), figure(e.mips, "Mips", 1),
                           count(e.instructions, "instructions"), count(e.words, "words")}});
  }
  return table;
}

// Where an engine's cycles go; empty for an older record, which does not distinguish them.
Table work_table(const RunRecord& r) {
  Table table{"work",
              "Cycles of the engines, by use",
              {{"useful", "useful"},
               {"starved", "starved"},
               {"blocked", "blocked"},
               {"lock_spin", "lock spin"},
               {"aborted", "aborted"},
               {"stalled", "stalled"},
               {"idle", "idle"}},
              {}};
  for (const Engine& e : r.engines) {
    if (!e.useful_pct || e.words == 0)
      continue;
    table.rows.push_back({fmt::format("{}", e.id),
                          fmt::format("engine {}", e.id),
                          {percent(*e.useful_pct), percent(*e.starved_pct), percent(*e.blocked_pct),
                           percent(*e.lock_spin_pct), percent(e.aborted_pct),
                           percent(e.stalled_pct), percent(e.idle_pct)}});
  }
  return table;
}

Table ports_table(const RunRecord& r) {
  Table table{"ports",
              "Ports",
              {{"received", "received"},
               {"sent", "sent"},
               {"overflow", "overflow"},
               {"receive_rate", "receive rate"},
               {"transmit_rate", "transmit rate"}},
              {}};
  for (const Port& p : r.ports) {
    table.rows.push_back(
        {fmt::format("{}", p.id),
         fmt::format("port {}", p.id),
         {count(p.received, "packets"), count(p.sent, "packets"), count(p.overflow, "packets"),
          rate(p.rates_mbps.receive), rate(p.rates_mbps.transmit)}});
  }
  return table;
}

Table memory_table(const RunRecord& r) {
  Table table{"memory",
              "Memory references",
              {{"references", "references"},
               {"longwords", "longwords"},
               {"transferred", "moved"},
               {"queue_peak", "queue peak"},
               {"latency_mean", "latency mean"},
               {"latency_p99", "latency p99"}},
              {}};
  const auto add = [&](std::string id, std::string label, const MemoryRecord& unit) {
    const Cell mean = unit.references == 0 ? Cell{{}, "cycles", 1}
                                           : figure(unit.latency_cycles.mean, "cycles", 1);
    table.rows.push_back({std::move(id),
                          std::move(label),
                          {count(unit.references, "references"), count(unit.longwords, "longwords"),
                           rate(unit.transferred_mbps), count(unit.queue_peak, "references"), mean,
                           latency(unit.latency_cycles.p99, unit.references)}});
  };
  add("sram", "SRAM", r.memory.sram);
  add("sdram", "SDRAM", r.memory.sdram);
  add("scratch", "scratch", r.memory.scratch);
  return table;
}

Table queues_table(const RunRecord& r) {
  Table table{"queues",
              "Queues",
              {{"rings", "rings"},
               {"entries", "entries"},
               {"peak", "peak"},
               {"enqueued", "enqueued"},
               {"dequeued", "dequeued"},
               {"refused", "refused"}},
              {}};
  for (const QueueRecord& q : r.queues) {
    table.rows.push_back({q.name,
                          q.name,
                          {count(q.rings, "rings"), count(q.entries, "entries"),
                           count(q.peak, "entries"), count(q.enqueued, "entries"),
                           count(q.dequeued, "entries"), count(q.refused, "entries")}});
  }
  return table;
}

// Every reference of the run beside the packets that were classified in it.
Table lookup_table(const RunRecord& r) {
  Table table{"lookup", "Classification", kList, {}};
  const auto add = [&](std::string id, std::string label, Cell cell) {
    table.rows.push_back({std::move(id), std::move(label), {std::move(cell)}});
  };
  if (r.tables.empty())
    return table;  // a record of before they were counted
  const auto per_packet = [&](Count references) {
    const Count packets = r.packets.classified;
    if (packets == 0)
      return Cell{{}, "", 1};
    return figure(static_cast<double>(references) / static_cast<double>(packets), "", 1);
  };
  Count total = 0, aborted = 0, bytes = 0;
  for (const Engine& e : r.engines) {
    total += e.cycles.executing + e.cycles.aborted + e.cycles.stalled + e.cycles.idle;
    aborted += e.cycles.aborted;
  }
  for (const TableUse& use : r.tables)
    bytes += use.bytes;
  const double rate = r.simulated_seconds == 0
                          ? 0
                          : static_cast<double>(r.packets.classified) / r.simulated_seconds;
  add("classified_per_s", "classified per second", figure(rate, "packets/s", 0));
  add("references_per_packet", "references per packet",
      per_packet(r.memory.sram.references + r.memory.sdram.references +
                 r.memory.scratch.references));
  for (const TableUse& use : r.tables) {
    add("references_per_packet." + use.name, "... of table " + use.name,
        per_packet(use.references));
  }
  add("aborted", "aborted, all engines", percent(percentage(aborted, total)));
  add("table_bytes", "memory of the tables", count(bytes, "bytes"));
  for (const TableUse& use : r.tables) {
    add("table_bytes." + use.name, fmt::format("... of {} in {}", use.name, use.memory),
        count(use.bytes, "bytes"));
  }
  for (const auto& [name, value] : r.built) {
    std::string label = name;
    std::replace(label.begin(), label.end(), '_', ' ');
    add("built." + name, label, count(value, ""));
  }
  return table;
}

// Empty for a run whose rules stay.
Table updates_table(const RunRecord& r) {
  Table table{"updates", "Rule updates", kList, {}};
  if (!r.updates)
    return table;
  const Updates& u = *r.updates;
  const auto add = [&](std::string id, std::string label, Cell cell) {
    table.rows.push_back({std::move(id), std::move(label), {std::move(cell)}});
  };
  const Count done = u.inserts + u.deletes;
  add("updates_asked", "updates requested", count(u.asked, "updates"));
  add("updates_inserts", "inserts in force", count(u.inserts, "updates"));
  add("updates_deletes", "deletes in force", count(u.deletes, "updates"));
  add("updates_per_s", "updates per second", figure(u.updates_per_s, "updates/s", 0));
  add("updates_rules.start", "rules at the start", count(u.rules_at_start, "rules"));
  add("updates_rules.stop", "rules at the stop", count(u.rules_at_stop, "rules"));
  add("updates_latency.mean", "cycles per update, mean",
      done == 0 ? Cell{{}, "cycles", 0} : figure(u.latency_cycles.mean, "cycles", 0));
  add("updates_latency.max", "cycles per update, max", latency(u.latency_cycles.max, done));
  add("updates_waits", "waits for lookups", count(u.waits, "waits"));
  add("updates_wait_cycles", "... cycles per wait",
      u.waits == 0
          ? Cell{{}, "cycles", 0}
          : figure(static_cast<double>(u.wait_cycles) / static_cast<double>(u.waits), "cycles", 0));
  add("updates_references", "references of the core", count(u.references, "references"));
  add("updates_longwords", "longwords written", count(u.longwords_written, "longwords"));
  add("updates_contested", "packets with several answers", count(u.contested_packets, "packets"));
  return table;
}

Table host_table(const RunRecord& r) {
  Table table{"host", "Simulation", kList, {}};
  const auto add = [&](std::string id, std::string label, Cell cell) {
    table.rows.push_back({std::move(id), std::move(label), {std::move(cell)}});
  };
  add("simulated_ms", "simulated time", figure(1e3 * r.simulated_seconds, "ms", 3));
  if (!r.tables.empty())
    add("build_s", "table build time", figure(r.host.build_s, "s", 3));
  add("wall_s", "wall time", figure(r.host.wall_s, "s", 2));
  add("core_cycles_per_s", "chip cycles per second",
      figure(r.host.core_cycles_per_s / 1e6, "M/s", 2));
  add("instructions_per_s", "instructions per second",
      figure(r.host.instructions_per_s / 1e6, "M/s", 2));
  return table;
}

Table threads_table(const RunRecord& r) {
  Table table{"threads",
              "Threads",
              {{"executing", "executing"},
               {"aborted", "aborted"},
               {"stalled", "stalled"},
               {"ready", "ready"},
               {"off", "off"}},
              {}};
  std::set<std::string> events;
  for (const Engine& e : r.engines) {
    for (const Thread& t : e.threads) {
      for (const auto& [event, cycles] : t.waiting)
        events.insert(event);
    }
  }
  for (const std::string& event : events)
    table.columns.push_back({"waiting_" + event, "waiting " + event});
  for (const Engine& e : r.engines) {
    for (const Thread& t : e.threads) {
      Row row{fmt::format("{}.{}", e.id, t.id), fmt::format("engine {} thread {}", e.id, t.id), {}};
      for (const Count cycles : {t.executing, t.aborted, t.stalled, t.ready, t.off}) {
        row.cells.push_back(count(cycles, "cycles"));
      }
      for (const std::string& event : events) {
        const auto found = t.waiting.find(event);
        row.cells.push_back(count(found == t.waiting.end() ? 0 : found->second, "cycles"));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table aborted_table(const RunRecord& r) {
  Table table{"aborted_by", "Aborted cycles by branch class", kList, {}};
  for (const Engine& e : r.engines) {
    for (const auto& [branch_class, cycles] : e.aborted_by) {
      table.rows.push_back({fmt::format("{}.{}", e.id, branch_class),
                            fmt::format("engine {} {}", e.id, branch_class),
                            {count(cycles, "cycles")}});
    }
  }
  return table;
}

Table lines_table(const RunRecord& r) {
  Table table{"lines",
              "Source lines",
              {{"executing", "executing"},
               {"aborted", "aborted"},
               {"stalled", "stalled"},
               {"waiting", "waiting"}},
              {}};
  for (const Line& l : r.lines) {
    const std::string place = fmt::format("{}:{}", l.file, l.line);
    table.rows.push_back(
        {fmt::format("{}.{}{}", l.engine, place, use_suffix(l)),
         fmt::format("engine {} {}{}", l.engine, place,
                     l.poll ? " (" + (l.work == "useful" ? "poll" : l.work) + ")" : ""),
         {count(l.executing, "cycles"), count(l.aborted, "cycles"), count(l.stalled, "cycles"),
          count(l.waiting, "cycles")}});
  }
  return table;
}

}  // namespace

std::vector<Table> tables_of(const RunRecord& record) {
  return {overall_table(record),    packets_table(record), steady_table(record),
          throughput_table(record), engines_table(record), work_table(record),
          ports_table(record),      memory_table(record),  caches_table(record),
          dram_table(record),       match_table(record),   queues_table(record),
          lookup_table(record),     updates_table(record), host_table(record)};
}

std::vector<Table> all_tables_of(const RunRecord& record) {
  std::vector<Table> tables = tables_of(record);
  tables.push_back(threads_table(record));
  tables.push_back(aborted_table(record));
  tables.push_back(lines_table(record));
  for (Table& table : cause_tables(record))
    tables.push_back(std::move(table));
  return tables;
}

}  // namespace nplab::reports
