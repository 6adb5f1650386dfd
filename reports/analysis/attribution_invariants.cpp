#include "reports/analysis/attribution_invariants.h"

#include <fmt/format.h>

#include <set>

namespace nplab::reports {
namespace {

class AttributionChecker {
 public:
  AttributionChecker(const RunRecord& record, std::vector<std::string>& broken)
      : record_(record), broken_(broken) {}

  void run() {
    for (const Engine& engine : record_.engines)
      check_engine(engine);
    if (record_.lines.empty())
      return;
    for (const Line& line : record_.lines)
      check_line(line);
    check_references("sram", record_.memory.sram);
    check_references("sdram", record_.memory.sdram);
    check_references("scratch", record_.memory.scratch);
  }

 private:
  void must_equal(const std::string& what, Count found, const std::string& whole, Count wanted) {
    if (found != wanted)
      broken_.push_back(fmt::format("{} add up to {}, but {} {}", what, found, whole, wanted));
  }

  // Each name of either by itself.
  void must_agree(const std::string& what, const CountByName& found, const std::string& whole,
                  const CountByName& wanted) {
    std::set<std::string> names;
    for (const CountByName* counts : {&found, &wanted})
      for (const auto& [name, count] : *counts)
        names.insert(name);
    for (const std::string& name : names)
      must_equal(fmt::format("{} on {}", what, name), count_of(found, name), whole,
                 count_of(wanted, name));
  }

  void check_engine(const Engine& engine) {
    const std::string of = fmt::format("engine {}: ", engine.id);
    must_equal(of + "stalled cycles by cause", sum_of(engine.stalled_on), "the engine has",
               engine.cycles.stalled);
    CountByName threads_wait;
    for (const Thread& thread : engine.threads) {
      const std::string of_thread = fmt::format("engine {} thread {}: ", engine.id, thread.id);
      must_equal(of_thread + "waiting cycles by cause", sum_of(thread.waiting_on),
                 "its cycles by event are", sum_of(thread.waiting));
      must_equal(of_thread + "idle cycles by what it did", sum_of(thread.idle), "the engine has",
                 engine.cycles.idle);
      add_counts(thread.waiting_on, threads_wait);
    }
    if (record_.lines.empty())
      return;
    CountByName stalled, waiting;
    for (const Line& line : record_.lines) {
      if (line.engine != engine.id)
        continue;
      add_counts(line.stalled_on, stalled);
      add_counts(line.waiting_on, waiting);
    }
    must_agree(of + "stalled cycles of its source lines", stalled, "the engine has",
               engine.stalled_on);
    must_agree(of + "waiting cycles of its source lines", waiting, "its threads have",
               threads_wait);
  }

  void check_line(const Line& line) {
    const std::string of = fmt::format("engine {} line {}:{}: ", line.engine, line.file, line.line);
    must_equal(of + "stalled cycles by cause", sum_of(line.stalled_on), "the line has",
               line.stalled);
    must_equal(of + "waiting cycles by cause", sum_of(line.waiting_on), "the line has",
               line.waiting);
  }

  void check_references(const std::string& name, const MemoryRecord& memory) {
    const ReferenceSum by_core = memory.by_core.value_or(ReferenceSum{});
    Count references = by_core.references;
    Count longwords = by_core.longwords;
    for (const Line& line : record_.lines) {
      references += count_of(line.references, name);
      longwords += count_of(line.longwords, name);
    }
    const ReferenceSum under_way = memory.under_way.value_or(ReferenceSum{});
    must_equal(name + ": references of source lines and of the core processor", references,
               "those served or under way are", memory.references + under_way.references);
    must_equal(name + ": longwords of source lines and of the core processor", longwords,
               "those served or under way are", memory.longwords + under_way.longwords);
    check_bus(name, memory);
  }

  // The core processor's references hold the bus, too, for no line.
  void check_bus(const std::string& name, const MemoryRecord& memory) {
    if (!memory.work_cycles)
      return;
    WorkCycles of_lines;
    for (const Line& line : record_.lines)
      cycles_of(of_lines, line.work) += count_of(line.bus_cycles, name);
    const WorkCycles& work = *memory.work_cycles;
    const std::string of = name + ": cycles of the bus for source lines, ";
    must_equal(of + "useful,", of_lines.useful, "the unit has", work.useful);
    must_equal(of + "starved,", of_lines.starved, "the unit has", work.starved);
    must_equal(of + "blocked,", of_lines.blocked, "the unit has", work.blocked);
    must_equal(of + "lock_spin,", of_lines.lock_spin, "the unit has", work.lock_spin);
    if (!memory.by_core)
      must_equal(name + ": cycles of the bus by use",
                 work.useful + work.starved + work.blocked + work.lock_spin, "it was active for",
                 memory.active_cycles);
  }

  const RunRecord& record_;
  std::vector<std::string>& broken_;
};

}  // namespace

void check_attribution(const RunRecord& record, std::vector<std::string>& broken) {
  if (record.memory.sram.under_way)
    AttributionChecker(record, broken).run();
}

}  // namespace nplab::reports
