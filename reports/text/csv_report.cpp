#include "reports/text/csv_report.h"

#include <fmt/format.h>

#include "reports/analysis/record_tables.h"
#include "reports/record/run_names.h"
#include "reports/tables/table.h"

namespace nplab::reports {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos)
    return field;
  std::string text = "\"";
  for (const char c : field)
    text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string exact(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell.value))
    return "";
  if (const auto* real = std::get_if<double>(&cell.value))
    return fmt::format("{}", *real);
  return to_string(cell);
}

}  // namespace

std::string render_csv(const std::vector<RunRecord>& records) {
  std::string csv = "table,run,row,column,value,unit\n";
  const std::vector<std::string> names = run_names(records);
  for (std::size_t run = 0; run < records.size(); ++run) {
    for (const Table& table : all_tables_of(records[run])) {
      for (const Row& row : table.rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
          const Cell& cell = row.cells[i];
          csv += fmt::format("{},{},{},{},{},{}\n", table.id, quoted(names[run]), quoted(row.id),
                             quoted(table.columns[i].id), quoted(exact(cell)), cell.unit);
        }
      }
    }
  }
  return csv;
}

}  // namespace nplab::reports
