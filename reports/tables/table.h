// Tables of cells, before they are text, CSV or a page.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "reports/record/counts.h"

namespace nplab::reports {

// One figure with its unit. `decimals` is how texts round a double; CSV keeps full precision.
struct Cell {
  std::variant<std::monostate, Count, double, std::string> value;  // monostate: does not apply
  std::string unit;
  int decimals = 0;
};

inline bool is_text(const Cell& cell) {
  return std::holds_alternative<std::string>(cell.value);
}

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

}  // namespace nplab::reports
