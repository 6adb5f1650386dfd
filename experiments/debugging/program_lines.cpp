#include "experiments/debugging/program_lines.h"

#include <algorithm>
#include <set>

#include "isa/control_flow.h"

namespace nplab::experiments {
namespace {

bool same_line(const isa::SourceLine& a, const isa::SourceLine& b) {
  return a.file == b.file && a.line == b.line;
}

bool in_file(const isa::ProgramImage& image, const isa::SourceLine& line, const std::string& file) {
  return line.line != 0 && line.file < image.files.size() && image.files[line.file] == file;
}

}  // namespace

const DebugProgram* program_of(const DebugTarget& target, unsigned engine) {
  for (const DebugProgram& program : target.programs)
    if (program.engine == engine)
      return &program;
  return nullptr;
}

const DebugSource* find_source(const DebugTarget& target, const std::string& name) {
  for (const DebugSource& source : target.sources)
    if (source.name == name || (!source.path.empty() && source.path == name))
      return &source;
  return nullptr;
}

LinePlace line_of(const DebugTarget& target, unsigned engine, std::uint32_t word) {
  const DebugProgram* program = program_of(target, engine);
  if (program == nullptr || word >= program->image.lines.size())
    return {};
  const isa::SourceLine line = program->image.lines[word];
  if (line.line == 0 || line.file >= program->image.files.size())
    return {};
  const std::string& file = program->image.files[line.file];
  return {find_source(target, file), file, line.line};
}

// A word is an entry if some way to it comes from a word of another line, or from outside.
std::vector<std::uint32_t> line_entries(const isa::ProgramImage& image) {
  std::vector<bool> entered(image.words.size(), false);
  const auto enter = [&](std::uint32_t from, std::uint32_t to) {
    if (to < entered.size() && !same_line(image.lines[from], image.lines[to]))
      entered[to] = true;
  };
  if (!entered.empty())
    entered[0] = true;
  const auto flow = isa::control_flow(image);
  for (std::uint32_t word = 0; word < flow.size(); ++word) {
    if (flow[word].next)
      enter(word, word + 1);
    if (flow[word].target)
      enter(word, *flow[word].target);
  }
  // Where computed jumps may go.
  for (const isa::Symbol& symbol : image.symbols)
    if (symbol.pc < entered.size())
      entered[symbol.pc] = true;
  std::vector<std::uint32_t> words;
  for (std::uint32_t word = 0; word < entered.size(); ++word)
    if (entered[word] && image.lines[word].line != 0)
      words.push_back(word);
  return words;
}

std::vector<std::uint32_t> all_words(const isa::ProgramImage& image) {
  std::vector<std::uint32_t> words(image.words.size());
  for (std::uint32_t word = 0; word < words.size(); ++word)
    words[word] = word;
  return words;
}

std::vector<unsigned> lines_with_code(const DebugTarget& target, const std::string& file) {
  std::set<unsigned> lines;
  for (const DebugProgram& program : target.programs)
    for (const std::uint32_t word : line_entries(program.image))
      if (in_file(program.image, program.image.lines[word], file))
        lines.insert(program.image.lines[word].line);
  return {lines.begin(), lines.end()};
}

std::optional<LineWords> words_of_line(const DebugTarget& target, const std::string& file,
                                       unsigned line, int id) {
  const auto lines = lines_with_code(target, file);
  const auto found = std::lower_bound(lines.begin(), lines.end(), line);
  if (found == lines.end())
    return std::nullopt;
  LineWords words{*found, {}};
  for (const DebugProgram& program : target.programs) {
    WordStop stop{program.engine, {}, {}, id};
    for (const std::uint32_t word : line_entries(program.image))
      if (in_file(program.image, program.image.lines[word], file) &&
          program.image.lines[word].line == *found)
        stop.words.push_back(word);
    if (!stop.words.empty())
      words.words.push_back(std::move(stop));
  }
  return words;
}

std::vector<WordStop> words_of_function(const DebugTarget& target, const std::string& name,
                                        int id) {
  std::vector<WordStop> stops;
  for (const DebugProgram& program : target.programs)
    for (const isa::Symbol& symbol : program.image.symbols)
      if (symbol.name == name)
        stops.push_back({program.engine, {}, {symbol.pc}, id});
  return stops;
}

}  // namespace nplab::experiments
