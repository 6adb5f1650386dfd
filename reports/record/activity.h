// What every thread, memory unit, queue and source line did over a whole run, in intervals. Part of
// the run record.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/record/count_series.h"

namespace nplab::reports {

struct RunRecord;

struct StateActivity {
  std::string state;   // as in a timeline: `executing`, `waiting sram`
  CountSeries cycles;  // in each interval
  bool operator==(const StateActivity&) const = default;
};

struct ThreadActivity {
  std::uint64_t engine = 0;
  std::uint64_t thread = 0;
  std::vector<StateActivity> states;  // that it was in at any time
  bool operator==(const ThreadActivity&) const = default;
};

struct MemoryActivity {
  std::string name;
  CountSeries active_cycles;  // in each interval
  CountSeries references;     // completed in each interval
  bool operator==(const MemoryActivity&) const = default;
};

struct QueueActivity {
  std::string name;
  std::uint64_t entries = 0;  // that it holds
  CountSeries depth;          // entries taken at the end of each interval
  bool operator==(const QueueActivity&) const = default;
};

// Cycles of one source line on one engine, in each of the longer intervals.
struct LineActivity {
  std::uint64_t engine = 0;
  std::string place;  // `file:line`
  CountSeries executing;
  CountSeries aborted;
  CountSeries stalled;
  CountSeries waiting;
  bool operator==(const LineActivity&) const = default;
};

// Where an engine's cycles went in each of the longer intervals; what is missing was idle.
struct EngineActivity {
  std::uint64_t engine = 0;
  CountSeries useful;
  CountSeries starved;
  CountSeries blocked;
  CountSeries lock_spin;
  CountSeries aborted;
  CountSeries stalled;
  bool operator==(const EngineActivity&) const = default;
};

// Interval i begins in cycle i * interval_cycles; the last one ends with the run.
struct Activity {
  std::uint64_t interval_cycles = 0;
  std::vector<ThreadActivity> threads;
  std::vector<MemoryActivity> memory;
  std::vector<QueueActivity> queues;
  std::uint64_t line_interval_cycles = 0;
  std::vector<LineActivity> lines;
  std::vector<EngineActivity> engines{};  // in the intervals of lines; none in older records
  bool operator==(const Activity&) const = default;
};

// The same in intervals `factor` times as long, those of lines `line_factor` times: cycles and
// references add up, and a queue has the depth of the last interval.
Activity coarser(const Activity& activity, std::uint64_t factor, std::uint64_t line_factor);

// Sentences on what does not add up: intervals must cover the run, each thread must be in one state
// in every cycle of each, and what the intervals hold must add up to what the record says of the
// whole run. None when there is no activity.
std::vector<std::string> check_activity(const RunRecord& record);

}  // namespace nplab::reports
