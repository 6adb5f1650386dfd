#include "reports/text/run_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/tables/text_layout.h"

namespace nplab::reports {
namespace {

// A figure of the run's tables.
struct SummaryColumn {
  const char* table;
  const char* row;
  const char* title;
};

constexpr SummaryColumn kSummaryColumns[] = {{"lookup", "classified_per_s", "packets/s"},
                                             {"overall", "transmit_rate", "sent, Mb/s"},
                                             {"packets", "latency_p50", "latency, cycles"},
                                             {"lookup", "references_per_packet", "references"},
                                             {"lookup", "table_bytes", "table bytes"},
                                             {"lookup", "aborted", "aborted %"},
                                             {"host", "build_s", "built in s"}};

std::string summary_figure(const std::vector<Table>& run, const SummaryColumn& column) {
  const auto table =
      std::find_if(run.begin(), run.end(), [&](const Table& t) { return t.id == column.table; });
  const Cell* cell = table == run.end() ? nullptr : table->find(column.row, "value");
  return cell == nullptr ? "-" : to_string(*cell);
}

}  // namespace

std::string render_summary(const std::vector<std::string>& names,
                           const std::vector<std::vector<Table>>& runs) {
  std::size_t label_width = 0;
  for (const std::string& name : names)
    label_width = std::max(label_width, name.size());
  std::vector<std::string> lines{fmt::format("  {:<{}}", "", label_width)};
  for (const std::string& name : names)
    lines.push_back(fmt::format("  {:<{}}", name, label_width));
  for (const SummaryColumn& column : kSummaryColumns) {
    std::vector<std::string> figures{column.title};
    for (const auto& run : runs)
      figures.push_back(summary_figure(run, column));
    std::size_t width = 0;
    for (const std::string& text : figures)
      width = std::max(width, text.size());
    for (std::size_t i = 0; i < figures.size(); ++i)
      lines[i] += fmt::format("  {:>{}}", figures[i], width);
  }
  return "At a glance\n" + join_lines(lines);
}

}  // namespace nplab::reports
