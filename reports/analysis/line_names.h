// How source lines of different runs are told to be the same. Private to reports.
#pragma once

#include <string>

#include "reports/analysis/source_lines.h"

namespace nplab::reports {

class LineNames {
 public:
  explicit LineNames(const RunRecord& record);

  // File and text of a line, so that code that moved keeps its name; its number where the text is
  // not known. Generated programs are named by their engine, without the mapping.
  [[nodiscard]] std::string of(const Line& line) const;
  // Its text without indentation, empty when it is not known.
  [[nodiscard]] std::string text(const Line& line) const;
  // FILE:LINE.
  [[nodiscard]] static std::string place(const Line& line);

 private:
  std::string prefix_;
  SourceTexts texts_;
};

}  // namespace nplab::reports
