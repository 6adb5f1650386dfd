#include "reports/html/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "reports/analysis/bounds.h"
#include "reports/analysis/causes.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/stations.h"
#include "reports/record/run_names.h"

namespace nplab::reports::html {
namespace {

const char* kind_name(Figure::Kind kind) {
  switch (kind) {
    case Figure::Kind::kBars: return "bars";
    case Figure::Kind::kStacked: return "stacked";
    case Figure::Kind::kLines: return "lines";
    case Figure::Kind::kDistribution: return "distribution";
  }
  return "";
}

using Records = std::vector<RunRecord>;
using Value = std::function<Cell(const RunRecord&)>;

struct Category {
  std::string id;
  std::string label;
  Value value;
};

Cell whole(Count value, const char* unit) {
  return {value, unit, 0};
}
Cell real(double value, const char* unit) {
  return {value, unit, 1};
}

std::vector<Column> run_columns(const Records& records) {
  std::vector<Column> columns;
  for (const std::string& name : run_names(records))
    columns.push_back({name, name});
  return columns;
}

Figure grouped(const Records& records, std::string id, std::string title, std::string unit,
               const std::vector<Category>& categories) {
  Table table{std::move(id), std::move(title), run_columns(records), {}};
  Figure figure{Figure::Kind::kBars, std::move(unit), "", "", std::move(table)};
  for (const Category& category : categories) {
    Row row{category.id, category.label, {}};
    for (const RunRecord& record : records)
      row.cells.push_back(category.value(record));
    figure.table.rows.push_back(std::move(row));
  }
  return figure;
}

Figure memory_figure(const Records& records) {
  const auto of = [](MemoryRecord Memory::* memory) {
    return [=](const RunRecord& record) { return real((record.memory.*memory).active_pct, "%"); };
  };
  return grouped(records, "memory_active", "Memory active", "%",
                 {{"sdram", "SDRAM", of(&Memory::sdram)},
                  {"sram", "SRAM", of(&Memory::sram)},
                  {"scratch", "scratch", of(&Memory::scratch)}});
}

Figure packets_figure(const Records& records) {
  const auto of = [](Count Packets::* member) {
    return [=](const RunRecord& record) { return whole(record.packets.*member, "packets"); };
  };
  return grouped(records, "packet_counts", "Packets", "packets",
                 {{"offered", "offered", of(&Packets::offered)},
                  {"received", "received", of(&Packets::received)},
                  {"classified", "classified", of(&Packets::classified)},
                  {"sent", "sent", of(&Packets::sent)}});
}

Figure drops_figure(const Records& records) {
  const auto of = [](Count Packets::* member) {
    return [=](const RunRecord& record) { return whole(record.packets.*member, "packets"); };
  };
  std::vector<Category> categories{
      {"missed_by_media", "missed by the media device", of(&Packets::missed_by_media)},
      {"denied", "denied", of(&Packets::denied)},
      {"no_match", "no match", of(&Packets::no_match)},
      {"dropped_queue_full", "queue full", of(&Packets::dropped_queue_full)}};
  std::set<std::string> reasons;
  for (const RunRecord& record : records)
    for (const auto& [reason, count] : record.packets.dropped_other)
      reasons.insert(reason);
  for (const std::string& reason : reasons) {
    categories.push_back(
        {"dropped_other." + reason, reason, [reason](const RunRecord& record) {
           const auto found = record.packets.dropped_other.find(reason);
           return whole(found == record.packets.dropped_other.end() ? 0 : found->second, "packets");
         }});
  }
  return grouped(records, "drops", "Packets that were not sent, by reason", "packets", categories);
}

using Histogram = std::vector<LatencyBucket>;

// The share of a distribution that is at most a bucket's upper bound.
Cell share_up_to(const Histogram& histogram, Count bound) {
  Count within = 0, all = 0;
  for (const LatencyBucket& bucket : histogram) {
    within += bucket.to <= bound ? bucket.count : 0;
    all += bucket.count;
  }
  return all == 0 ? Cell{{}, "%", 1} : real(percentage(within, all), "%");
}

// Buckets of all runs lie on one grid, so that a bound of one run is one of another.
Figure distribution_figure(const Records& records, Histogram RunRecord::* member, std::string id,
                           std::string title, std::string note) {
  std::set<Count> bounds;
  for (const RunRecord& record : records) {
    for (const LatencyBucket& bucket : record.*member) {
      if (bucket.from > 0)
        bounds.insert(bucket.from - 1);
      bounds.insert(bucket.to);
    }
  }
  std::vector<Category> categories;
  for (const Count bound : bounds) {
    const std::string name = fmt::format("{}", bound);
    categories.push_back({name, name, [bound, member](const RunRecord& record) {
                            return share_up_to(record.*member, bound);
                          }});
  }
  Figure figure = grouped(records, std::move(id), std::move(title), "%", categories);
  figure.kind = Figure::Kind::kDistribution;
  figure.label = "cycles";
  figure.note = std::move(note);
  return figure;
}

Figure latency_figure(const Records& records) {
  return distribution_figure(
      records, &RunRecord::latency_histogram, "latency_distribution",
      "Packet latency, received to sent",
      "The share of the sent packets whose latency is at most this many cycles.");
}

Figure classification_figure(const Records& records) {
  return distribution_figure(
      records, &RunRecord::classification_histogram, "classification_distribution",
      "Classification time, key loaded to verdict",
      "The share of the classified packets whose classification took at most this many cycles.");
}

Table engine_rows(const RunRecord& record, std::string id, std::string title) {
  Table table{std::move(id), std::move(title), {}, {}};
  for (const Engine& engine : record.engines)
    table.rows.push_back(
        {fmt::format("{}", engine.id), fmt::format("engine {} {}", engine.id, engine.role), {}});
  return table;
}

// What an engine's cycles went to, by the id of a column: executing by use, then each other state
// by its causes.
std::map<std::string, Cell> causes_of(const Engine& engine) {
  std::map<std::string, Cell> cells;
  if (engine.work_cycles) {
    cells = {{"useful", whole(engine.work_cycles->useful, "cycles")},
             {"starved", whole(engine.work_cycles->starved, "cycles")},
             {"blocked", whole(engine.work_cycles->blocked, "cycles")},
             {"lock_spin", whole(engine.work_cycles->lock_spin, "cycles")}};
  } else {
    cells = {{"executing", whole(engine.cycles.executing, "cycles")}};
  }
  const auto add = [&](const char* prefix, const CountByName& counts, const char* state,
                       Count all) {
    for (const auto& [name, cycles] : counts)
      cells[prefix + name] = whole(cycles, "cycles");
    if (counts.empty() && all > 0)
      cells[state] = whole(all, "cycles");  // a record that does not tell
  };
  add("aborted_by.", engine.aborted_by, "aborted", engine.cycles.aborted);
  add("stalled_on.", engine.stalled_on, "stalled", engine.cycles.stalled);
  const auto idle = idle_by_cause(engine);
  for (const auto& [name, cycles] : idle)
    cells["idle_on." + name] = real(cycles, "cycles");
  if (idle.empty())
    cells["idle"] = whole(engine.cycles.idle, "cycles");
  return cells;
}

bool is_zero(const Cell& cell) {
  const auto* count = std::get_if<Count>(&cell.value);
  return count != nullptr && *count == 0;
}

// "stalled_on.command_bus" as a reader calls it: "stalled: command_bus".
std::string cause_label(const std::string& id) {
  const auto dot = id.find('.');
  if (id == "lock_spin")
    return "lock spin";
  return dot == std::string::npos ? id : id.substr(0, id.find('_')) + ": " + id.substr(dot + 1);
}

Figure engine_causes(const RunRecord& record) {
  Table table = engine_rows(record, "engine_causes", "Engine cycles by use and cause");
  std::vector<std::map<std::string, Cell>> causes;
  for (const Engine& engine : record.engines)
    causes.push_back(causes_of(engine));
  for (const char* state :
       {"executing", "useful", "starved", "blocked", "lock_spin", "aborted", "stalled", "idle"}) {
    std::set<std::string> ids;
    for (const auto& cells : causes)
      for (const auto& [id, cell] : cells)
        if (id.starts_with(state) && !is_zero(cell))
          ids.insert(id);
    for (const std::string& id : ids)
      table.columns.push_back({id, cause_label(id)});
  }
  for (std::size_t i = 0; i < causes.size(); ++i) {
    for (const Column& column : table.columns) {
      const auto found = causes[i].find(column.id);
      table.rows[i].cells.push_back(found == causes[i].end() ? whole(0, "cycles") : found->second);
    }
  }
  return {
      Figure::Kind::kStacked, "cycles",
      "Every cycle of every engine is in exactly one part of its bar. Starved, blocked and lock "
      "spin are polls. Idle cycles, hatched, are divided by what the engine's threads waited for; "
      "each thread has the same share.",
      "", std::move(table)};
}

Figure thread_states(const RunRecord& record) {
  std::set<std::string> waits;
  for (const Engine& engine : record.engines)
    for (const Thread& thread : engine.threads)
      for (const auto& [cause, cycles] : waits_of(thread))
        waits.insert(cause);
  Table table{"thread_states",
              "Thread cycles by state and cause",
              {{"executing", "executing"},
               {"aborted", "aborted"},
               {"stalled", "stalled"},
               {"ready", "ready"},
               {"off", "off"}},
              {}};
  for (const std::string& cause : waits)
    table.columns.push_back({"waiting_on." + cause, "waiting " + cause});
  for (const Engine& engine : record.engines) {
    for (const Thread& thread : engine.threads) {
      if (thread.off == record.cycles.core)
        continue;  // says nothing here
      const std::string name = fmt::format("{}.{}", engine.id, thread.id);
      Row row{name, name, {}};
      for (const Count cycles :
           {thread.executing, thread.aborted, thread.stalled, thread.ready, thread.off})
        row.cells.push_back(whole(cycles, "cycles"));
      for (const std::string& cause : waits) {
        const auto found = waits_of(thread).find(cause);
        row.cells.push_back(whole(found == waits_of(thread).end() ? 0 : found->second, "cycles"));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return {Figure::Kind::kStacked, "cycles",
          "Threads are named engine.thread. Threads that never ran are left out.", "",
          std::move(table)};
}

// Samples that one point of a chart over time stands for: it has as many points as can be told
// apart.
std::size_t sample_stride(const RunRecord& record) {
  constexpr std::size_t kMostPoints = 240;
  return std::max<std::size_t>(1, (record.samples.received.size() + kMostPoints - 1) / kMostPoints);
}

Table time_rows(const RunRecord& record, std::string id, std::string title) {
  Table table{std::move(id), std::move(title), {}, {}};
  const std::size_t stride = sample_stride(record);
  for (std::size_t i = 0; i < record.samples.received.size() / stride; ++i) {
    const std::string cycle = fmt::format("{}", (i + 1) * stride * record.samples.interval_cycles);
    table.rows.push_back({cycle, cycle, {}});
  }
  return table;
}

Figure memory_over_time(const RunRecord& record) {
  const std::size_t stride = sample_stride(record);
  Figure figure{Figure::Kind::kLines, "%", "", "cycle",
                time_rows(record, "memory_over_time", "Memory active over time")};
  figure.note = fmt::format("Share of each {} cycles in which the bus was busy.",
                            stride * record.samples.interval_cycles);
  const auto add = [&](const char* id, const char* label, const MemorySeries& series) {
    figure.table.columns.push_back({id, label});
    Count before = 0;
    for (std::size_t i = 0; i < figure.table.rows.size(); ++i) {
      const Count now = series.active_cycles.at(stride * (i + 1) - 1);
      figure.table.rows[i].cells.push_back(
          real(percentage(now - before, stride * record.samples.interval_cycles), "%"));
      before = now;
    }
  };
  add("sdram", "SDRAM", record.samples.sdram);
  add("sram", "SRAM", record.samples.sram);
  add("scratch", "scratch", record.samples.scratch);
  return figure;
}

Figure queues_over_time(const RunRecord& record) {
  const std::size_t stride = sample_stride(record);
  Figure figure{Figure::Kind::kLines, "packets",
                "Entries in all rings of each queue, and packets in flight.", "cycle",
                time_rows(record, "queues_over_time", "Queues over time")};
  const auto add = [&](const std::string& id, const std::string& label,
                       const std::vector<Count>& series) {
    figure.table.columns.push_back({id, label});
    for (std::size_t i = 0; i < figure.table.rows.size(); ++i)
      figure.table.rows[i].cells.push_back(whole(series.at(stride * (i + 1) - 1), "packets"));
  };
  for (const QueueSeries& queue : record.samples.queues)
    add(queue.name, queue.name, queue.entries);
  add("in_flight", "in flight", record.samples.in_flight);
  return figure;
}

Figure match_over_time(const RunRecord& record) {
  const std::size_t stride = sample_stride(record);
  const MatchRecord& unit = *record.match;
  const MatchSeries& series = *record.samples.match;
  Figure figure{Figure::Kind::kLines, "%", "", "cycle",
                time_rows(record, "match_over_time", "Match unit over time")};
  const double cycles = static_cast<double>(stride * record.samples.interval_cycles);
  const double unit_cycles =
      cycles * static_cast<double>(unit.unit_cycles) / static_cast<double>(unit.core_cycles);
  const double clocks = cycles * static_cast<double>(unit.dram.memory_clocks) /
                        static_cast<double>(unit.dram.core_cycles);
  figure.note = fmt::format(
      "Of each {} cycles: cycles of the unit in which its input sent a session on, clocks of the "
      "channels in which data moved; sessions under way at the end.",
      stride * record.samples.interval_cycles);
  const auto add = [&](const char* id, const char* label, const auto& share) {
    figure.table.columns.push_back({id, label});
    for (std::size_t i = 0; i < figure.table.rows.size(); ++i)
      figure.table.rows[i].cells.push_back(real(share(i), "%"));
  };
  const auto more = [stride](const std::vector<Count>& counts, std::size_t i) {
    const Count before = i == 0 ? 0 : counts.at(stride * i - 1);
    return static_cast<double>(counts.at(stride * (i + 1) - 1) - before);
  };
  add("input", "input",
      [&](std::size_t i) { return 100 * more(series.looked_up, i) / unit_cycles; });
  add("memory", "memory", [&](std::size_t i) {
    return 100 * more(series.bursts, i) * static_cast<double>(unit.dram.clocks_per_burst) /
           (clocks * static_cast<double>(unit.dram.channels.size()));
  });
  add("sessions", "sessions", [&](std::size_t i) {
    return 100 * static_cast<double>(series.sessions.at(stride * (i + 1) - 1)) /
           static_cast<double>(unit.sessions.places);
  });
  return figure;
}

}  // namespace

std::vector<Figure> comparison_figures(const Records& records) {
  std::vector<Figure> figures{
      grouped(records, "rates", "Rates on the wire", "Mb/s",
              {{"receive_rate", "receive",
                [](const RunRecord& r) { return real(r.rates_mbps.receive, "Mb/s"); }},
               {"transmit_rate", "transmit",
                [](const RunRecord& r) { return real(r.rates_mbps.transmit, "Mb/s"); }}}),
      packets_figure(records)};
  if (records.size() > 1)  // of one run, the picture of its resources has it
    figures.push_back(memory_figure(records));
  figures.push_back(drops_figure(records));
  for (Figure figure : {latency_figure(records), classification_figure(records)}) {
    if (!figure.table.rows.empty())
      figures.push_back(std::move(figure));
  }
  return figures;
}

Figure resources_figure(const RunRecord& record, const std::string& name) {
  Table table{"resources",
              "What bounds " + name,
              {{"useful", "useful"}, {"polling", "polling"}, {"aborted", "aborted, stalled"}},
              {}};
  const auto bounds = bounds_of(record);
  if (bounds) {
    const std::set<Count> bounding = engines_named(bounds->first.use.resource);
    for (const ResourceUse& use : bounds->uses) {
      const auto engines = engines_named(use.resource);
      const bool is_bound = engines.empty() ? use.resource.starts_with(bounds->first.use.resource)
                                            : std::includes(bounding.begin(), bounding.end(),
                                                            engines.begin(), engines.end());
      std::string label = use.label;
      if (!engines.empty())
        label = fmt::format("engine {}, {}", *engines.begin(),
                            use.label.substr(std::min(use.label.size(), use.label.find(", ") + 2)));
      table.rows.push_back(
          {use.resource,
           label + (is_bound ? " (bound)" : ""),
           {real(use.useful_pct, "%"), real(use.polling_pct, "%"),
            real(std::max(0.0, use.busy_pct - use.useful_pct - use.polling_pct), "%")}});
    }
  }
  return {Figure::Kind::kStacked, "%",
          "In percent of the run's cycles, or of the line rate. What is grey waits.", "",
          std::move(table)};
}

std::vector<Figure> run_figures(const RunRecord& record) {
  std::vector<Figure> figures{engine_causes(record), thread_states(record)};
  if (!record.samples.received.empty()) {
    figures.push_back(memory_over_time(record));
    figures.push_back(queues_over_time(record));
    if (record.match && record.samples.match)
      figures.push_back(match_over_time(record));
  }
  std::erase_if(figures, [](const Figure& figure) { return figure.table.rows.empty(); });
  return figures;
}

std::string figure_html(const Figure& figure, const std::string& prefix, const std::string& of,
                        Elements& elements) {
  const std::string note =
      figure.note.empty() ? "" : " <small>" + escaped(figure.note) + "</small>";
  return fmt::format(
             "<figure class=\"chart\" id=\"{}{}\" data-kind=\"{}\" data-unit=\"{}\" "
             "data-label=\"{}\">\n"
             "<figcaption>{}{}</figcaption>\n<div class=\"plot\"></div>\n"
             "<details><summary>The numbers</summary>\n",
             escaped(prefix), escaped(figure.table.id), kind_name(figure.kind),
             escaped(figure.unit), escaped(figure.label),
             elements.explained(figure.table.title, {figure.table.id}), note) +
         elements.table(figure.table,
                        figure.table.title + ", numbers" + (of.empty() ? "" : ": " + of)) +
         "</details></figure>\n";
}

}  // namespace nplab::reports::html
