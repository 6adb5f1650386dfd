#include "reports/analysis/comparable_tables.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "reports/analysis/derive.h"
#include "reports/analysis/record_tables.h"

namespace nplab::reports {
namespace {

enum class Basis { kSecond, kOffered, kReceivedPacket };

// Counts of a table that grow with the run: of a row, or of a column where `row` is empty.
struct GrowingCount {
  std::string_view table, row, column;
  Basis basis;
};

constexpr std::array kGrowingCounts = {
    GrowingCount{"overall", "microengine_cycles", "value", Basis::kReceivedPacket},
    GrowingCount{"overall", "ix_bus_cycles", "value", Basis::kReceivedPacket},
    GrowingCount{"overall", "packets_received", "value", Basis::kSecond},
    GrowingCount{"overall", "packets_sent", "value", Basis::kSecond},
    GrowingCount{"packets", "offered", "value", Basis::kSecond},
    GrowingCount{"packets", "", "value", Basis::kOffered},
    GrowingCount{"engines", "", "instructions", Basis::kReceivedPacket},
    GrowingCount{"memory", "", "references", Basis::kReceivedPacket},
    GrowingCount{"memory", "", "longwords", Basis::kReceivedPacket}};

// Of the table of packets, what is no number of packets, or must be 0 however long the run is.
bool stays(std::string_view row) {
  return row.starts_with("latency_") || row.starts_with("classification_") ||
         row == "misclassified";
}

Cell related(const Cell& cell, Basis basis, const RunRecord& record) {
  if (!std::holds_alternative<Count>(cell.value))
    return cell;
  const Count count = std::get<Count>(cell.value);
  const auto per = [&](double of, const char* unit, int decimals) {
    return of == 0 ? Cell{{}, unit, decimals}
                   : Cell{static_cast<double>(count) / of, unit, decimals};
  };
  switch (basis) {
    case Basis::kSecond: return per(record.simulated_seconds, "packets/s", 0);
    case Basis::kOffered:
      return record.packets.offered == 0
                 ? Cell{{}, "% offered", 1}
                 : Cell{percentage(count, record.packets.offered), "% offered", 1};
    case Basis::kReceivedPacket:
      return per(static_cast<double>(record.packets.received), "per packet", 1);
  }
  return cell;
}

const GrowingCount* growing_count(const Table& table, const Row& row, const Column& column) {
  const auto found =
      std::find_if(kGrowingCounts.begin(), kGrowingCounts.end(), [&](const GrowingCount& one) {
        return one.table == table.id && one.column == column.id &&
               (one.row.empty() ? !(table.id == "packets" && stays(row.id)) : one.row == row.id);
      });
  return found == kGrowingCounts.end() ? nullptr : found;
}

}  // namespace

std::vector<Table> comparable_tables_of(const RunRecord& record) {
  std::vector<Table> tables = tables_of(record);
  for (Table& table : tables) {
    for (Row& row : table.rows) {
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (const GrowingCount* count = growing_count(table, row, table.columns[i]))
          row.cells[i] = related(row.cells[i], count->basis, record);
      }
    }
  }
  return tables;
}

}  // namespace nplab::reports
