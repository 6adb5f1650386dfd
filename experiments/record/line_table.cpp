#include "experiments/record/line_table.h"

#include <map>
#include <tuple>

#include "experiments/record/cause_counts.h"
#include "experiments/record/word_use.h"
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

void add_bus_cycles(const simulator::SimulationResult& result, unsigned engine, std::size_t pc,
                    reports::Line& line) {
  const std::pair<const char*, const simulator::MemoryCounters&> units[] = {
      {"sram", result.sram}, {"sdram", result.sdram}, {"scratch", result.scratch}};
  for (const auto& [unit, counters] : units) {
    const auto& words = counters.active_by_word.at(engine);
    if (pc < words.size() && words[pc] > 0)
      line.bus_cycles[unit] += words[pc];
  }
}

void add_look_ups(const simulator::SimulationResult& result, unsigned engine, std::size_t pc,
                  reports::Line& line) {
  const auto add = [&](const simulator::CyclesByWord& by_word, const std::string& memory,
                       reports::CountByName& counts) {
    const auto& words = by_word.at(engine);
    if (pc < words.size() && words[pc] > 0)
      counts[memory] += words[pc];
  };
  for (const simulator::CacheUse& use : result.caches) {
    add(use.hits_by_word, use.memory, line.cache_hits);
    add(use.misses_by_word, use.memory, line.cache_misses);
  }
}

}  // namespace

std::vector<reports::Line> line_table(unsigned engine, const isa::ProgramImage& image,
                                      const simulator::SimulationResult& result) {
  const simulator::EngineCounters& counters = result.engines[engine];
  const auto uses = word_uses(image);
  std::map<std::tuple<std::string, std::uint32_t, WordUse>, reports::Line> lines;
  for (std::size_t pc = 0; pc < counters.words.size(); ++pc) {
    const simulator::WordCounters& word = counters.words[pc];
    if (word.executing + word.aborted + word.stalled + word.waiting + word.references == 0)
      continue;
    const isa::SourceLine at = pc < image.lines.size() ? image.lines[pc] : isa::SourceLine{};
    const std::string file =
        at.line == 0 || at.file >= image.files.size() ? kNoLine : image.files[at.file];
    // A thread may be charged for the word after the last, where it left its program.
    const WordUse use = pc < uses.size() ? uses[pc] : WordUse::kUseful;
    reports::Line& line = lines[{file, at.line, use}];
    line.engine = engine;
    line.file = file;
    line.line = at.line;
    line.poll = use != WordUse::kUseful;
    line.work = name_of(use);
    line.executing += word.executing;
    line.aborted += word.aborted;
    line.stalled += word.stalled;
    line.waiting += word.waiting;
    add_causes(word, line);
    add_bus_cycles(result, engine, pc, line);
    add_look_ups(result, engine, pc, line);
  }
  std::vector<reports::Line> table;
  for (auto& [key, line] : lines)
    table.push_back(std::move(line));
  return table;
}

reports::WorkCycles work_cycles(const std::vector<reports::Line>& lines) {
  reports::WorkCycles cycles;
  for (const reports::Line& line : lines)
    reports::cycles_of(cycles, line.work) += line.executing;
  return cycles;
}

reports::WorkCycles bus_work_cycles(const std::vector<reports::Line>& lines,
                                    const std::string& unit) {
  reports::WorkCycles cycles;
  for (const reports::Line& line : lines)
    reports::cycles_of(cycles, line.work) += reports::count_of(line.bus_cycles, unit);
  return cycles;
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
