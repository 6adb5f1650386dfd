#include "experiments/record/line_table.h"

#include <map>
#include <tuple>

#include "experiments/record/cause_counts.h"
#include "isa/control_flow.h"
#include "reports/analysis/calibration_work.h"

namespace nplab::experiments {
namespace {

constexpr const char* kNoLine = "<generated>";

void add_causes(const simulator::WordCounters& word, reports::Line& line) {
  reports::add_counts(counts_by_name(word.stalled_on), line.stalled_on);
  reports::add_counts(counts_by_name(word.waiting_on), line.waiting_on);
  if (word.references == 0)
    return;
  const std::string unit(isa::to_string(word.unit));
  line.references[unit] += word.references;
  line.longwords[unit] += word.longwords;
}

}  // namespace

std::vector<bool> poll_words(const isa::ProgramImage& image) {
  std::vector<int> steps(image.words.size() + 1, 0);
  for (const isa::Annotation& annotation : image.annotations) {
    if (annotation.kind == isa::Annotation::Kind::kPollBegin)
      ++steps.at(annotation.pc);
    if (annotation.kind == isa::Annotation::Kind::kPollEnd)
      --steps.at(annotation.pc);
  }
  // Words lie in another order than threads pass them.
  const std::vector<isa::Successors> flow = isa::control_flow(image);
  std::vector<bool> polls(image.words.size(), false);
  std::vector<std::size_t> reached;
  const auto reach = [&](std::size_t pc) {
    if (pc >= polls.size() || polls[pc] || steps[pc] < 0)
      return;
    polls[pc] = true;
    reached.push_back(pc);
  };
  for (std::size_t pc = 0; pc < polls.size(); ++pc)
    if (steps[pc] > 0)
      reach(pc);
  while (!reached.empty()) {
    const std::size_t pc = reached.back();
    reached.pop_back();
    if (flow[pc].next)
      reach(pc + 1);
    if (flow[pc].target)
      reach(*flow[pc].target);
  }
  return polls;
}

std::vector<reports::Line> line_table(unsigned engine, const isa::ProgramImage& image,
                                      const simulator::EngineCounters& counters) {
  const auto polls = poll_words(image);
  std::map<std::tuple<std::string, std::uint32_t, bool>, reports::Line> lines;
  for (std::size_t pc = 0; pc < counters.words.size(); ++pc) {
    const simulator::WordCounters& word = counters.words[pc];
    if (word.executing + word.aborted + word.stalled + word.waiting == 0)
      continue;
    const isa::SourceLine at = pc < image.lines.size() ? image.lines[pc] : isa::SourceLine{};
    const std::string file =
        at.line == 0 || at.file >= image.files.size() ? kNoLine : image.files[at.file];
    reports::Line& line = lines[{file, at.line, polls[pc]}];
    line.engine = engine;
    line.file = file;
    line.line = at.line;
    line.poll = polls[pc];
    line.executing += word.executing;
    line.aborted += word.aborted;
    line.stalled += word.stalled;
    line.waiting += word.waiting;
    add_causes(word, line);
  }
  std::vector<reports::Line> table;
  for (auto& [key, line] : lines)
    table.push_back(std::move(line));
  return table;
}

reports::Count cycles_of_unprinted_work(const std::vector<reports::Line>& lines) {
  reports::Count cycles = 0;
  for (const reports::Line& line : lines) {
    if (reports::is_calibration_work(line.file))
      cycles += line.executing + line.aborted + line.stalled;
  }
  return cycles;
}

std::string place_of_word(const isa::ProgramImage& image, std::size_t word) {
  const isa::SourceLine at = word < image.lines.size() ? image.lines[word] : isa::SourceLine{};
  const bool has_line = at.line != 0 && at.file < image.files.size();
  return (has_line ? image.files[at.file] : kNoLine) + ":" + std::to_string(at.line);
}

}  // namespace nplab::experiments
