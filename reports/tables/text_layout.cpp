#include "reports/tables/text_layout.h"

#include <sstream>

namespace nplab::reports {

std::string wrapped(const std::string& first, const std::string& text, std::size_t width) {
  std::string result;
  std::string line = first;
  bool line_has_word = false;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line_has_word && line.size() + 1 + word.size() > width) {
      result += line + "\n";
      line = std::string(first.size(), ' ');
      line_has_word = false;
    }
    line += (line_has_word ? " " : "") + word;
    line_has_word = true;
  }
  return result + line + "\n";
}

std::string heading(const std::string& title) {
  return title + "\n" + std::string(title.size(), '-') + "\n";
}

std::string clipped(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 1) + "~";
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const auto last = line.find_last_not_of(' ');
    text += line.substr(0, last == std::string::npos ? 0 : last + 1) + "\n";
  }
  return text;
}

std::string figure_label(const Table& table, const Row& row, std::size_t column) {
  return table.columns.size() == 1 ? row.label : row.label + " " + table.columns[column].label;
}

std::string figure_unit(const std::string& label, const Cell& cell) {
  return label.ends_with(cell.unit) ? "" : cell.unit;
}

}  // namespace nplab::reports
