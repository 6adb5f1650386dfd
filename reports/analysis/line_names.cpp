#include "reports/analysis/line_names.h"

#include <fmt/format.h>

#include "reports/record/run_names.h"

namespace nplab::reports {

LineNames::LineNames(const RunRecord& record)
    : prefix_(mapping_name(record) + "-"), texts_(record) {}

std::string LineNames::text(const Line& line) const {
  return texts_.statement(line.file, line.line);
}

std::string LineNames::of(const Line& line) const {
  std::string file = line.file.starts_with(prefix_) ? line.file.substr(prefix_.size()) : line.file;
  if (line.line == 0)
    return file;
  const std::string known = text(line);
  return known.empty() ? fmt::format("{}:{}", file, line.line) : fmt::format("{}  {}", file, known);
}

std::string LineNames::place(const Line& line) {
  return line.line == 0 ? line.file : fmt::format("{}:{}", line.file, line.line);
}

}  // namespace nplab::reports
