#include "reports/html/source_costs.h"

#include <algorithm>

namespace nplab::reports::html {

SourceCosts::SourceCosts(const RunRecord& record) : texts_(record) {
  for (const Line& line : record.lines)
    add_cost(files_[line.file][line.line].sum, line);
  for (const Program& program : record.programs)
    count_words(program);
  for (const Engine& engine : record.engines)
    engine_cycles_ += engine.words == 0 ? 0 : record.cycles.core;
  for (const auto& [name, lines] : files_)
    numbers_.emplace(name, numbers_.size());
}

void SourceCosts::count_words(const Program& program) {
  for (std::size_t word = 0; word < program.assembly.size(); ++word) {
    const Count file = program.file[word];
    if (file < program.files.size())
      ++files_[program.files[file]][program.line[word]].words;
    else
      ++files_["<generated>"][0].words;
  }
}

Count SourceCosts::last_line(const std::string& file) const {
  const auto found = texts_.files().find(file);
  return std::max<Count>(found == texts_.files().end() ? 0 : found->second.size(),
                         files_.at(file).rbegin()->first);
}

}  // namespace nplab::reports::html
