// The source lines of a run with what they cost, all engines together. Private to reports.
#pragma once

#include <map>
#include <string>

#include "reports/analysis/source_lines.h"

namespace nplab::reports::html {

struct LineCost {
  Line sum;         // of all engines
  Count words = 0;  // of all programs that the line was compiled to
};
using FileCosts = std::map<Count, LineCost>;  // by line

class SourceCosts {
 public:
  explicit SourceCosts(const RunRecord& record);

  // By name; lines with a cost or with words.
  [[nodiscard]] const std::map<std::string, FileCosts>& files() const { return files_; }
  [[nodiscard]] std::size_t number_of(const std::string& file) const { return numbers_.at(file); }
  // Cycles of all engines that are on.
  [[nodiscard]] Count engine_cycles() const { return engine_cycles_; }
  // Empty when the record does not have it.
  [[nodiscard]] std::string text(const std::string& file, Count line) const {
    return texts_.line(file, line);
  }
  // The same without indentation.
  [[nodiscard]] std::string statement(const std::string& file, Count line) const {
    return texts_.statement(file, line);
  }
  [[nodiscard]] Count last_line(const std::string& file) const;

 private:
  void count_words(const Program& program);

  std::map<std::string, FileCosts> files_;
  SourceTexts texts_;
  std::map<std::string, std::size_t> numbers_;
  Count engine_cycles_ = 0;
};

}  // namespace nplab::reports::html
