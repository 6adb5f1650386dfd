#include "reports/analysis/cause_tables.h"

#include <fmt/format.h>

#include <set>

#include "reports/analysis/causes.h"
#include "reports/analysis/source_lines.h"

namespace nplab::reports {
namespace {

Cell cycles_cell(const CountByName& counts, const std::string& name) {
  const auto found = counts.find(name);
  return {found == counts.end() ? Count{0} : found->second, "cycles", 0};
}

// A row whose cells are the counts of all columns; a column's id is its cause after `prefix`.
Row cause_row(std::string id, std::string label, const CountByName& counts,
              const std::set<std::string>& causes) {
  Row row{std::move(id), std::move(label), {}};
  for (const std::string& cause : causes)
    row.cells.push_back(cycles_cell(counts, cause));
  return row;
}

std::vector<Column> cause_columns(const std::string& prefix, const std::set<std::string>& causes) {
  std::vector<Column> columns;
  for (const std::string& cause : causes)
    columns.push_back({fmt::format("{}.{}", prefix, cause), cause});
  return columns;
}

Table stalled_table(const RunRecord& r) {
  std::set<std::string> causes;
  for (const Engine& engine : r.engines)
    for (const auto& [cause, cycles] : engine.stalled_on)
      causes.insert(cause);
  Table table{"stalled_on", "Stalled cycles by cause", cause_columns("stalled_on", causes), {}};
  if (causes.empty())
    return table;
  for (const Engine& engine : r.engines) {
    table.rows.push_back(cause_row(fmt::format("{}", engine.id),
                                   fmt::format("engine {}", engine.id), engine.stalled_on, causes));
  }
  return table;
}

// Threads by one of their counts by name; those that never ran say nothing here.
Table thread_table(const RunRecord& r, const std::string& id, std::string title,
                   CountByName Thread::* counts) {
  std::set<std::string> causes;
  for (const Engine& engine : r.engines)
    for (const Thread& thread : engine.threads)
      for (const auto& [cause, cycles] : thread.*counts)
        if (thread.off != r.cycles.core)
          causes.insert(cause);
  Table table{id, std::move(title), cause_columns(id, causes), {}};
  if (causes.empty())
    return table;
  for (const Engine& engine : r.engines) {
    for (const Thread& thread : engine.threads) {
      if (thread.off == r.cycles.core)
        continue;
      table.rows.push_back(cause_row(fmt::format("{}.{}", engine.id, thread.id),
                                     fmt::format("engine {} thread {}", engine.id, thread.id),
                                     thread.*counts, causes));
    }
  }
  return table;
}

// Of every reference: that the memory has completed it, or not yet; that the core processor issued
// it.
Table origin_table(const RunRecord& r) {
  Table table{"memory_by_origin",
              "Memory references by origin",
              {{"references", "completed references"},
               {"under_way", "under way at the stop"},
               {"by_core", "by the core processor"},
               {"longwords", "completed longwords"},
               {"under_way.longwords", "longwords under way"},
               {"by_core.longwords", "longwords by the core"}},
              {}};
  const auto add = [&](const char* id, const char* label, const MemoryRecord& unit) {
    const ReferenceSum way = unit.under_way.value_or(ReferenceSum{}),
                       core = unit.by_core.value_or(ReferenceSum{});
    Row row{id, label, {}};
    for (const Count count : {unit.references, way.references, core.references})
      row.cells.push_back({count, "references", 0});
    for (const Count count : {unit.longwords, way.longwords, core.longwords})
      row.cells.push_back({count, "longwords", 0});
    table.rows.push_back(std::move(row));
  };
  if (!r.memory.sram.under_way)
    return table;
  add("sram", "SRAM", r.memory.sram);
  add("sdram", "SDRAM", r.memory.sdram);
  add("scratch", "scratch", r.memory.scratch);
  return table;
}

Table line_causes_table(const RunRecord& r) {
  Table table{"line_causes", "Source lines by cause and unit", {{"value", ""}}, {}};
  for (const Line& line : r.lines) {
    const auto add = [&](const std::string& what, const CountByName& counts, const char* unit) {
      for (const auto& [name, count] : counts) {
        std::string id = fmt::format("{}.{}:{}{}.{}.{}", line.engine, line.file, line.line,
                                     use_suffix(line), what, name);
        table.rows.push_back({id, id, {Cell{count, unit, 0}}});
      }
    };
    add("stalled_on", line.stalled_on, "cycles");
    add("waiting_on", line.waiting_on, "cycles");
    add("references", line.references, "references");
    add("longwords", line.longwords, "longwords");
  }
  return table;
}

}  // namespace

std::vector<Table> cause_tables(const RunRecord& record) {
  return {
      stalled_table(record),
      thread_table(record, "waiting_on", "Waiting cycles of threads by cause", &Thread::waiting_on),
      thread_table(record, "idle_on", "Idle cycles of engines by state of their threads",
                   &Thread::idle),
      origin_table(record), line_causes_table(record)};
}

}  // namespace nplab::reports
