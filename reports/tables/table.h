// A run record as tables of cells: what every text, CSV and plot shows, in one place.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "reports/run_record.h"

namespace nplab::reports {

// One figure with its unit. `decimals` is how texts round a double; CSV keeps full precision.
struct Cell {
  std::variant<std::monostate, Count, double, std::string> value;  // monostate: does not apply
  std::string unit;
  int decimals = 0;
};

struct Column {
  std::string id;     // stable, for CSV
  std::string label;  // for people
};

struct Row {
  std::string id;
  std::string label;
  std::vector<Cell> cells;  // as many as the table has columns
};

struct Table {
  std::string id;
  std::string title;
  std::vector<Column> columns;  // one column named `value`: a list of figures
  std::vector<Row> rows;

  // The cell at a row and a column, by id; null when the table has none.
  [[nodiscard]] const Cell* find(const std::string& row, const std::string& column) const;
};

// A figure as text, without its unit; `-` when it does not apply.
std::string to_string(const Cell& cell);

// The tables in the order of the report: overall, packets, engines, ports, memory, queues, lookup, updates, host.
std::vector<Table> tables_of(const RunRecord& record);

// tables_of, and those too long for a text: threads, aborted cycles by branch class, source lines, and all of these by
// cause.
std::vector<Table> all_tables_of(const RunRecord& record);

// The short name of a run: its mapping's file name without folders and endings.
std::string mapping_name(const RunRecord& record);

// The short names of several runs; the second of a name becomes `name#2`.
std::vector<std::string> run_names(const std::vector<RunRecord>& records);

}  // namespace nplab::reports
