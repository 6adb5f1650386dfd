#include "reports/record/activity.h"

#include "reports/record/lean_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

#include "reports/record/run_record.h"

namespace nplab::reports {
namespace {

Count total(const CountSeries& series) {
  return std::accumulate(series.values.begin(), series.values.end(), Count{0});
}

// The run's counts of a thread, by the names of timeline states.
CountByName states_of(const Thread& thread) {
  CountByName states{{"executing", thread.executing},
                     {"aborted", thread.aborted},
                     {"stalled", thread.stalled},
                     {"ready", thread.ready},
                     {"off", thread.off}};
  for (const auto& [event, cycles] : thread.waiting)
    states["waiting " + event] = cycles;
  std::erase_if(states, [](const auto& state) { return state.second == 0; });
  return states;
}

class ActivityChecker {
 public:
  ActivityChecker(const RunRecord& record, const Activity& activity)
      : record_(record), activity_(activity) {}

  std::vector<std::string> run() {
    for (const ThreadActivity& thread : activity_.threads)
      check_thread(thread);
    check_memory("sram", record_.memory.sram);
    check_memory("sdram", record_.memory.sdram);
    check_memory("scratch", record_.memory.scratch);
    check_lines();
    for (const EngineActivity& engine : activity_.engines)
      check_engine(engine);
    return std::move(broken_);
  }

 private:
  [[nodiscard]] Count interval(std::size_t i) const {
    const Count from = i * activity_.interval_cycles;
    return std::min(activity_.interval_cycles,
                    record_.cycles.core - std::min(from, record_.cycles.core));
  }

  void check_thread(const ThreadActivity& thread) {
    const std::string name = fmt::format("activity: thread {}.{}", thread.engine, thread.thread);
    CountByName sums;
    std::vector<Count> cycles;
    for (const StateActivity& state : thread.states) {
      sums[state.state] = total(state.cycles);
      cycles.resize(std::max(cycles.size(), state.cycles.values.size()));
      for (std::size_t i = 0; i < state.cycles.values.size(); ++i)
        cycles[i] += state.cycles.values[i];
    }
    if (std::accumulate(cycles.begin(), cycles.end(), Count{0}) != record_.cycles.core)
      broken_.push_back(
          fmt::format("{} is not in exactly one state in every cycle of the run", name));
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      if (cycles[i] == interval(i))
        continue;
      broken_.push_back(
          fmt::format("{} has {} of {} cycles in interval {}", name, cycles[i], interval(i), i));
      break;
    }
    const Thread* whole = find_thread(thread);
    if (whole == nullptr || states_of(*whole) != sums)
      broken_.push_back(name + "'s states do not add up to the run's");
  }

  [[nodiscard]] const Thread* find_thread(const ThreadActivity& wanted) const {
    for (const Engine& engine : record_.engines)
      for (const Thread& thread : engine.threads)
        if (engine.id == wanted.engine && thread.id == wanted.thread)
          return &thread;
    return nullptr;
  }

  void check_memory(const std::string& name, const MemoryRecord& unit) {
    for (const MemoryActivity& memory : activity_.memory) {
      if (memory.name != name)
        continue;
      if (total(memory.active_cycles) != unit.active_cycles ||
          total(memory.references) != unit.references)
        broken_.push_back(fmt::format("activity: {}'s intervals do not add up to the run's", name));
    }
  }

  void check_lines() {
    if (is_lean(record_))
      return;
    using Sums = std::array<Count, 4>;
    std::map<std::pair<Count, std::string>, Sums> wanted, found;
    for (const Line& line : record_.lines) {
      Sums& sums = wanted[{line.engine, fmt::format("{}:{}", line.file, line.line)}];
      sums = {sums[0] + line.executing, sums[1] + line.aborted, sums[2] + line.stalled,
              sums[3] + line.waiting};
    }
    for (const LineActivity& line : activity_.lines) {
      found[{line.engine, line.place}] = {total(line.executing), total(line.aborted),
                                          total(line.stalled), total(line.waiting)};
    }
    if (found != wanted)
      broken_.push_back("activity: the source lines' intervals do not add up to `lines`");
  }

  void check_engine(const EngineActivity& found) {
    for (const Engine& engine : record_.engines) {
      if (engine.id != found.engine || !engine.work_cycles)
        continue;
      const WorkCycles sums{total(found.useful), total(found.starved), total(found.blocked),
                            total(found.lock_spin)};
      if (sums != *engine.work_cycles || total(found.aborted) != engine.cycles.aborted ||
          total(found.stalled) != engine.cycles.stalled)
        broken_.push_back(
            fmt::format("activity: engine {}'s intervals do not add up to the run's", engine.id));
    }
  }

  const RunRecord& record_;
  const Activity& activity_;
  std::vector<std::string> broken_;
};

}  // namespace

namespace {

template <class Merge>
CountSeries merged(const CountSeries& series, std::uint64_t factor, Merge merge) {
  CountSeries result;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    if (i % factor == 0)
      result.values.push_back(series.values[i]);
    else
      result.values.back() = merge(result.values.back(), series.values[i]);
  }
  return result;
}

CountSeries sums(const CountSeries& series, std::uint64_t factor) {
  return merged(series, factor, std::plus<>());
}

}  // namespace

Activity coarser(const Activity& activity, std::uint64_t factor, std::uint64_t line_factor) {
  Activity result = activity;
  result.interval_cycles *= factor;
  result.line_interval_cycles *= line_factor;
  for (LineActivity& line : result.lines)
    for (CountSeries* series : {&line.executing, &line.aborted, &line.stalled, &line.waiting})
      *series = sums(*series, line_factor);
  for (EngineActivity& engine : result.engines)
    for (CountSeries* series : {&engine.useful, &engine.starved, &engine.blocked, &engine.lock_spin,
                                &engine.aborted, &engine.stalled})
      *series = sums(*series, line_factor);
  for (ThreadActivity& thread : result.threads)
    for (StateActivity& state : thread.states)
      state.cycles = sums(state.cycles, factor);
  for (MemoryActivity& memory : result.memory) {
    memory.active_cycles = sums(memory.active_cycles, factor);
    memory.references = sums(memory.references, factor);
  }
  for (QueueActivity& queue : result.queues)
    queue.depth =
        merged(queue.depth, factor, [](std::uint64_t, std::uint64_t last) { return last; });
  return result;
}

std::vector<std::string> check_activity(const RunRecord& record) {
  return record.activity ? ActivityChecker(record, *record.activity).run()
                         : std::vector<std::string>{};
}

}  // namespace nplab::reports
