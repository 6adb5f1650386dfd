#include "reports/html/source_costs.h"

#include <algorithm>
#include <sstream>

#include "reports/causes.h"

namespace nplab::reports::html {
namespace {

void add_line(Line& sum, const Line& line) {
  sum.executing += line.executing;
  sum.aborted += line.aborted;
  sum.stalled += line.stalled;
  sum.waiting += line.waiting;
  sum.poll = sum.poll || line.poll;
  add_counts(sum.stalled_on, line.stalled_on);
  add_counts(sum.waiting_on, line.waiting_on);
  add_counts(sum.references, line.references);
  add_counts(sum.longwords, line.longwords);
}

}  // namespace

Count busy_cycles(const Line& line) { return line.executing + line.aborted + line.stalled; }

SourceCosts::SourceCosts(const RunRecord& record) {
  for (const Line& line : record.lines) add_line(files_[line.file][line.line].sum, line);
  for (const Program& program : record.programs) count_words(program);
  for (const Engine& engine : record.engines) engine_cycles_ += engine.words == 0 ? 0 : record.cycles.core;
  for (const Source& source : record.sources) {
    std::istringstream text(source.text);
    for (std::string line; std::getline(text, line);) texts_[source.file].push_back(line);
  }
  for (const auto& [name, lines] : files_) numbers_.emplace(name, numbers_.size());
}

void SourceCosts::count_words(const Program& program) {
  for (std::size_t word = 0; word < program.assembly.size(); ++word) {
    const Count file = program.file[word];
    if (file < program.files.size()) ++files_[program.files[file]][program.line[word]].words;
    else ++files_["<generated>"][0].words;
  }
}

std::string SourceCosts::text(const std::string& file, Count line) const {
  const auto found = texts_.find(file);
  if (found == texts_.end() || line == 0 || line > found->second.size()) return "";
  return found->second[line - 1];
}

Count SourceCosts::last_line(const std::string& file) const {
  const auto found = texts_.find(file);
  return std::max<Count>(found == texts_.end() ? 0 : found->second.size(), files_.at(file).rbegin()->first);
}

}  // namespace nplab::reports::html
