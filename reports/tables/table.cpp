#include "reports/tables/table.h"

#include <fmt/format.h>

namespace nplab::reports {

const Cell* Table::find(const std::string& row, const std::string& column) const {
  for (const Row& candidate : rows) {
    if (candidate.id != row)
      continue;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].id == column)
        return &candidate.cells[i];
    }
  }
  return nullptr;
}

std::string to_string(const Cell& cell) {
  if (const auto* whole = std::get_if<Count>(&cell.value))
    return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&cell.value))
    return fmt::format("{:.{}f}", *real, cell.decimals);
  if (const auto* words = std::get_if<std::string>(&cell.value))
    return *words;
  return "-";
}

}  // namespace nplab::reports
