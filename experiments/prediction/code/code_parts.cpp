#include "experiments/prediction/code/code_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "support/input_file.h"

namespace nplab::experiments {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The function that a line of composed code begins to define; empty: none.
std::string function_begun(const std::string& line) {
  if (!line.starts_with("static inline "))
    return "";
  const std::size_t end = line.find('(');
  const std::size_t begin = line.rfind(' ', end);
  return end == std::string::npos ? "" : line.substr(begin + 1, end - begin - 1);
}

// `const u32 field_2 = header_0[1] ...`: 3; any other line: 0.
std::size_t field_taken(const std::string& line) {
  const std::string taken = "const u32 field_";
  const std::size_t at = line.find(taken);
  return at == std::string::npos ? 0 : std::stoul(line.substr(at + taken.size())) + 1;
}

CodePart part_of_library(const std::string& name) {
  if (name == "receive.h" || name == "reassembly.h")
    return {PartKind::kReceive, 0};
  if (name == "transmit.h")
    return {PartKind::kTransmit, 0};
  if (name == "key_ipv4.h")
    return {PartKind::kKey, 0};
  return {};
}

// Without numbers, names of queues and what follows the first comma.
std::string text_of(const std::string& line, const mappings::Placement& placement) {
  std::string text = line.substr(0, line.find(','));
  text.erase(0, text.find_first_not_of(' '));
  for (const auto& queue : placement.queues) {
    for (std::size_t at = 0; (at = text.find(queue.name + "_", at)) != std::string::npos; ++at)
      text.replace(at, queue.name.size(), "Q");
  }
  std::string without;
  for (const char letter : text) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(letter)) != 0;
    if (!is_digit)
      without += letter;
    else if (without.empty() || without.back() != '#')
      without += '#';
  }
  return without;
}

// The lines of pause_cycles in the library's work.h.
std::pair<std::size_t, std::size_t> lines_of_pause(const std::string& path) {
  Diagnostics ignored;
  const auto file = read_input_file(path, ignored);
  if (!file)
    return {1, 0};
  const auto lines = lines_of(file->bytes);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!contains(lines[i], " pause_cycles(const"))
      continue;
    std::size_t end = i;
    while (end + 1 < lines.size() && lines[end] != "}")
      ++end;
    return {i + 1, end + 1};
  }
  return {1, 0};
}

}  // namespace

CodeParts::CodeParts(const CompiledProgram& program, const mappings::Placement& placement)
    : placement_(placement), image_(program.image) {
  read_composed(program.composed.source);
  for (std::size_t word = 0; word < image_.scope_of.size(); ++word)
    inlined_into_.push_back(inlining_line(program.composed.name, word));
  composed_file_ = image_.files.size();
  for (std::size_t i = 0; i < image_.files.size(); ++i) {
    const std::filesystem::path path(image_.files[i]);
    const std::string name = path.filename().string();
    if (name == program.composed.name)
      composed_file_ = i;
    by_file_.push_back(name == "unprinted_work.h" ? CodePart{PartKind::kWork, 0}
                                                  : part_of_library(name));
    pause_lines_.push_back(name == "work.h" ? lines_of_pause(image_.files[i])
                                            : std::pair<std::size_t, std::size_t>{1, 0});
    std::error_code unknown;
    of_algorithm_.push_back(
        std::filesystem::equivalent(path.parent_path(), placement.algorithm_folder, unknown));
    std::string source;
    for (const auto& task : placement.tasks) {
      if (std::filesystem::path(task.source).filename() == name)
        source = task.source;
    }
    task_files_.push_back(source);
  }
}

// Of the calls that inlined the word, the line of the innermost in composed code; 0: none. A word
// of a composed function has a line of its own, or none.
std::uint32_t CodeParts::inlining_line(const std::string& composed, std::size_t word) const {
  auto scope = image_.scope_of[word];
  while (scope && image_.scopes.at(*scope).is_block())
    scope = image_.scopes.at(*scope).around;
  if (!scope || functions_.contains(image_.scopes.at(*scope).function))
    return 0;
  while (scope) {
    const isa::SourceScope& at = image_.scopes.at(*scope);
    if (std::filesystem::path(at.call_file).filename() == composed)
      return at.call_line;
    scope = at.around;
  }
  return 0;
}

void CodeParts::read_composed(const std::string& source) {
  const auto lines = lines_of(source);
  composed_.resize(lines.size() + 1);
  texts_.emplace_back();
  for (const std::string& line : lines)
    texts_.push_back(text_of(line, placement_));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string function = function_begun(lines[i]);
    if (function.empty())
      continue;
    functions_.insert(function);
    std::size_t end = i;
    while (end + 1 < lines.size() && lines[end] != "}")
      ++end;
    for (std::size_t q = 0; q < placement_.queues.size(); ++q) {
      const std::string& name = placement_.queues[q].name;
      const bool gets = function == name + "_get" || function == name + "_release";
      const bool puts =
          function == name + "_put" || function == name + "_skip" || function == name + "_has_room";
      if (!gets && !puts)
        continue;
      for (std::size_t line = i; line <= end; ++line)
        composed_[line + 1] = {{gets ? PartKind::kGet : PartKind::kPut, q}, 0, false};
    }
    for (std::size_t s = 0; s < placement_.stages.size(); ++s) {
      if (function == "stage_" + placement_.stages[s].name)
        read_stage({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(end) + 1}, i, s);
    }
  }
}

// Calls stand in blocks of their own, one after the other; what precedes them inside `do` loads
// the key.
void CodeParts::read_stage(const std::vector<std::string>& lines, std::size_t first,
                           std::size_t stage) {
  const mappings::Stage& placed = placement_.stages[stage];
  CodePart part{PartKind::kStep, 0};
  if (placed.role == mappings::StageRole::kReceive)
    part = {PartKind::kReceive, 0};
  if (placed.role == mappings::StageRole::kTransmit)
    part = {PartKind::kTransmit, 0};
  std::size_t call = 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    if (!placed.calls.empty() && part.kind == PartKind::kStep && lines[i] == "    do {")
      part = {PartKind::kKey, 0};
    if (call < placed.calls.size() &&
        contains(lines[i], fmt::format("struct {}_reads reads;", placed.calls[call].task)))
      part = {PartKind::kTask, call++};
    if (contains(lines[i], "} while (0);"))
      part = {PartKind::kStep, 0};
    if (part.kind == PartKind::kKey)
      part.index = field_taken(lines[i]);
    composed_[i + 1] = {part, stage, true};
  }
}

CodePart CodeParts::part_of_task(const std::string& file, std::size_t stage,
                                 CodePart before) const {
  const auto& calls = placement_.stages[stage].calls;
  const auto is_of_file = [&](const mappings::TaskCall& call) {
    const auto task = std::find_if(placement_.tasks.begin(), placement_.tasks.end(),
                                   [&](const auto& one) { return one.name == call.task; });
    return task != placement_.tasks.end() && task->source == file;
  };
  if (before.kind == PartKind::kTask && is_of_file(calls.at(before.index)))
    return before;
  // The next one of these that the thread comes to.
  const std::size_t from = before.kind == PartKind::kTask ? before.index : 0;
  for (std::size_t i = from; i < calls.size(); ++i) {
    if (is_of_file(calls[i]))
      return {PartKind::kTask, i};
  }
  return before;
}

std::size_t CodeParts::composed_line(std::size_t word) const {
  if (word >= image_.lines.size())
    return 0;
  const isa::SourceLine& at = image_.lines[word];
  const std::size_t line = at.line != 0 && at.file == composed_file_ ? at.line
                           : word < inlined_into_.size()             ? inlined_into_[word]
                                                                     : 0;
  return line < composed_.size() ? line : 0;
}

std::optional<std::size_t> CodeParts::stage_of(std::size_t word) const {
  const Line& line = composed_.at(composed_line(word));
  if (line.of_stage)
    return line.stage;
  switch (line.part.kind) {
    case PartKind::kPut: return placement_.queues.at(line.part.index).from;
    case PartKind::kGet: return placement_.queues.at(line.part.index).to;
    default: return std::nullopt;
  }
}

std::string CodeParts::line_of(std::size_t word) const {
  const std::string& composed = texts_.at(composed_line(word));
  const isa::SourceLine at = word < image_.lines.size() ? image_.lines[word] : isa::SourceLine{};
  if (at.line == 0 || at.file >= image_.files.size() || at.file == composed_file_)
    return composed;
  const std::string file = std::filesystem::path(image_.files[at.file]).filename().string();
  return fmt::format("{}:{} {}", file, at.line, composed);
}

CodePart CodeParts::part_inlined(std::size_t word, std::size_t stage) const {
  const std::uint32_t at = word < inlined_into_.size() ? inlined_into_[word] : 0;
  const Line& line = at < composed_.size() ? composed_[at] : composed_.front();
  // The library's waiting code, which joins the parts of a stage, is of the part before it.
  const bool says_nothing =
      line.part.kind == PartKind::kStep || (line.of_stage && line.stage != stage);
  return says_nothing ? CodePart{} : line.part;
}

CodePart CodeParts::part_of(std::size_t word, std::size_t stage, CodePart before) const {
  const isa::SourceLine at = word < image_.lines.size() ? image_.lines[word] : isa::SourceLine{};
  if (at.line == 0 || at.file >= image_.files.size()) {
    const CodePart part = part_inlined(word, stage);
    return part.kind == PartKind::kInherited ? before : part;
  }
  if (at.file == composed_file_) {
    const Line& line = at.line < composed_.size() ? composed_[at.line] : composed_.front();
    const bool is_other_stage = line.of_stage && line.stage != stage;
    return line.part.kind == PartKind::kInherited || is_other_stage ? before : line.part;
  }
  if (at.line >= pause_lines_[at.file].first && at.line <= pause_lines_[at.file].second)
    return {PartKind::kPause, before.index};
  if (by_file_[at.file].kind != PartKind::kWork) {
    const CodePart part = part_inlined(word, stage);
    if (part.kind != PartKind::kInherited)
      return part;
  }
  if (!task_files_[at.file].empty())
    return part_of_task(task_files_[at.file], stage, before);
  // A header that tasks share, before anything of a task itself: the first one's.
  if (of_algorithm_[at.file] && before.kind != PartKind::kTask &&
      !placement_.stages[stage].calls.empty())
    return {PartKind::kTask, 0};
  const CodePart part = by_file_[at.file];
  return part.kind == PartKind::kInherited ? before : part;
}

}  // namespace nplab::experiments
