// Source lines of a run: their text, and what they cost added up. Private to reports.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Executing + aborted + stalled.
Count busy_cycles(const Line& line);

// Adds what a line cost to a sum; where it was written stays the sum's own. A sum with a line that
// waits has that line's use.
void add_cost(Line& sum, const Line& line);

// What tells the uses of one line apart in ids: nothing if it is useful, else `.poll` (for work),
// `.blocked` or `.lock_spin`.
std::string use_suffix(const Line& line);
// The same as one letter: blank, `p`, `b` or `l`.
char use_letter(const Line& line);

// The texts of a record's files, by line.
class SourceTexts {
 public:
  explicit SourceTexts(const RunRecord& record);

  [[nodiscard]] const std::map<std::string, std::vector<std::string>>& files() const {
    return files_;
  }
  // Empty when the record does not have it.
  [[nodiscard]] std::string line(const std::string& file, Count number) const;
  // The same without indentation.
  [[nodiscard]] std::string statement(const std::string& file, Count number) const;

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace nplab::reports
