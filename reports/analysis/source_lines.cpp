#include "reports/analysis/source_lines.h"

#include <sstream>

#include "reports/analysis/causes.h"

namespace nplab::reports {

Count busy_cycles(const Line& line) {
  return line.executing + line.aborted + line.stalled;
}

void add_cost(Line& sum, const Line& line) {
  sum.executing += line.executing;
  sum.aborted += line.aborted;
  sum.stalled += line.stalled;
  sum.waiting += line.waiting;
  sum.poll = sum.poll || line.poll;
  if (line.poll)
    sum.work = line.work;
  add_counts(sum.stalled_on, line.stalled_on);
  add_counts(sum.waiting_on, line.waiting_on);
  add_counts(sum.references, line.references);
  add_counts(sum.longwords, line.longwords);
  add_counts(sum.cache_hits, line.cache_hits);
  add_counts(sum.cache_misses, line.cache_misses);
}

std::string use_suffix(const Line& line) {
  if (!line.poll)
    return "";
  return line.work == "blocked" || line.work == "lock_spin" ? "." + line.work : ".poll";
}

char use_letter(const Line& line) {
  if (!line.poll)
    return ' ';
  return line.work == "blocked" ? 'b' : line.work == "lock_spin" ? 'l' : 'p';
}

SourceTexts::SourceTexts(const RunRecord& record) {
  for (const Source& source : record.sources) {
    std::istringstream text(source.text);
    std::vector<std::string>& lines = files_[source.file];
    for (std::string line; std::getline(text, line);)
      lines.push_back(line);
  }
}

std::string SourceTexts::line(const std::string& file, Count number) const {
  const auto found = files_.find(file);
  if (found == files_.end() || number == 0 || number > found->second.size())
    return "";
  return found->second[number - 1];
}

std::string SourceTexts::statement(const std::string& file, Count number) const {
  const std::string text = line(file, number);
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first);
}

}  // namespace nplab::reports
