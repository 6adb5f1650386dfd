#include "reports/text/matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/tables/text_layout.h"

namespace nplab::reports {
namespace {

constexpr std::size_t kTextWidth = 16;

// A role may be a sentence; the table has room for a few words.
std::string shown(const Cell& cell) {
  return is_text(cell) ? clipped(to_string(cell), kTextWidth) : to_string(cell);
}

std::string padded(const std::string& text, const Cell& like, std::size_t width) {
  return is_text(like) ? fmt::format("  {:<{}}", text, width)
                       : fmt::format("  {:>{}}", text, width);
}

}  // namespace

std::string render_list(const Table& table) {
  std::size_t label_width = 0;
  std::size_t figure_width = 0;
  for (const Row& row : table.rows) {
    label_width = std::max(label_width, row.label.size());
    figure_width = std::max(figure_width, to_string(row.cells[0]).size());
  }
  std::vector<std::string> lines;
  for (const Row& row : table.rows) {
    lines.push_back(fmt::format("  {:<{}}  {:>{}} {}", row.label, label_width,
                                to_string(row.cells[0]), figure_width, row.cells[0].unit));
  }
  return join_lines(lines);
}

std::string render_matrix(const Table& table) {
  std::size_t label_width = 0;
  for (const Row& row : table.rows)
    label_width = std::max(label_width, row.label.size());
  std::vector<std::string> lines(table.rows.size() + 1);
  lines[0] = fmt::format("  {:<{}}", "", label_width);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    lines[i + 1] = fmt::format("  {:<{}}", table.rows[i].label, label_width);
  }
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const Cell& first = table.rows[0].cells[column];
    std::string title = table.columns[column].label;
    if (first.unit == "%" || first.unit == "Mb/s" || first.unit == "cycles")
      title += " " + first.unit;
    std::size_t width = title.size();
    for (const Row& row : table.rows)
      width = std::max(width, shown(row.cells[column]).size());
    lines[0] += padded(title, first, width);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const Cell& cell = table.rows[i].cells[column];
      lines[i + 1] += padded(shown(cell), cell, width);
    }
  }
  return join_lines(lines);
}

}  // namespace nplab::reports
