#include "reports/line_names.h"

#include <fmt/format.h>

#include <sstream>

#include "reports/tables.h"

namespace nplab::reports {

LineNames::LineNames(const RunRecord& record) : prefix_(mapping_name(record) + "-") {
  for (const Source& source : record.sources) {
    std::istringstream text(source.text);
    for (std::string line; std::getline(text, line);) texts_[source.file].push_back(line);
  }
}

std::string LineNames::text(const Line& line) const {
  const auto texts = texts_.find(line.file);
  if (line.line == 0 || texts == texts_.end() || line.line > texts->second.size()) return "";
  const std::string& text = texts->second[line.line - 1];
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first);
}

std::string LineNames::of(const Line& line) const {
  const std::string file = line.file.starts_with(prefix_) ? line.file.substr(prefix_.size()) : line.file;
  if (line.line == 0) return file;
  const std::string known = text(line);
  return known.empty() ? fmt::format("{}:{}", file, line.line) : fmt::format("{}  {}", file, known);
}

std::string LineNames::place(const Line& line) {
  return line.line == 0 ? line.file : fmt::format("{}:{}", line.file, line.line);
}

}  // namespace nplab::reports
