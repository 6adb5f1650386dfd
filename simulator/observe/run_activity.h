// What every thread, memory unit, queue and ring did over the entire run, in intervals: the exact
// counts at their ends, so that what the intervals hold adds up to what the run counts. Collected
// between windows, which it does not shorten much.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/base/halving_series.h"
#include "simulator/base/ids.h"
#include "simulator/base/time.h"
#include "simulator/chip/chip_parts.h"
#include "simulator/engine/engine_counters.h"
#include "simulator/observe/chip_queues.h"
#include "simulator/observe/ring_watch.h"
#include "simulator/observe/run_samples.h"

namespace nplab::simulator {

// For each engine a number for each of its words, such as that of its source line: words of one
// number are counted together. Words after an engine's last number are not counted.
using WordGroups = std::vector<std::vector<std::uint32_t>>;

// Of what a thread or a word counts, what is kept of every interval: there are many.
struct ThreadCycles {
  Cycles executing = 0;
  Cycles aborted = 0;
  Cycles stalled = 0;
  Cycles ready = 0;
  Cycles off = 0;
  std::array<Cycles, kEventKinds> waiting{};  // by the event's bit number
};

struct WordActivity {
  Cycles executing = 0;
  Cycles aborted = 0;
  Cycles stalled = 0;
  Cycles waiting = 0;
};

struct ActivitySample {
  std::vector<ThreadCycles> threads;        // as in ActivitySeries; from cycle 0 on
  MemorySample sram, sdram, scratch;        // from cycle 0 on
  std::vector<std::uint32_t> queues;        // entries taken once the interval is over
  std::vector<std::uint32_t> ring_entries;  // the same of software's rings, in the run's order
};

// By engine and number of the word group; from cycle 0 on.
using GroupSample = std::vector<std::vector<WordActivity>>;

// Sample i is of the beginning of cycle (i + 1) * interval; the last one of the end of the run.
struct ActivitySeries {
  std::vector<ThreadId> threads;  // those with a program
  std::vector<std::string> queues;
  std::vector<unsigned> queue_entries;  // their capacities
  Cycles interval = 0;
  std::vector<ActivitySample> samples;
  Cycles group_interval = 0;
  std::vector<GroupSample> groups;
};

class RunActivity {
 public:
  // What is kept is bounded whatever the chip's size and the run's length: so many samples, of all
  // threads.
  static constexpr std::size_t kMostThreadSamples = std::size_t{1} << 18;
  static constexpr std::size_t kMostSamples = 8192;
  static constexpr std::size_t kMostGroupSamples = 256;
  static constexpr Cycles kFirstInterval = 64;

  // All outlive this. `threads`: those with a program.
  RunActivity(const ChipParts& parts, ChipQueues queues, const std::vector<RingCounters>& rings,
              std::vector<ThreadId> threads, const WordGroups& groups);

  // The cycle before which the next sample is to be taken: no part is beyond.
  [[nodiscard]] Cycle next() const { return std::min(samples_.next(), groups_.next()); }
  // All parts have come to next().
  void take();
  // The run is over before cycle `end`.
  [[nodiscard]] ActivitySeries finish(Cycle end) &&;

 private:
  [[nodiscard]] ActivitySample sample(Cycle at) const;
  [[nodiscard]] GroupSample group_sample() const;

  const ChipParts& parts_;
  ChipQueues queues_;
  const std::vector<RingCounters>& rings_;
  std::vector<ThreadId> threads_;
  const WordGroups& word_groups_;
  HalvingSeries<ActivitySample> samples_;
  HalvingSeries<GroupSample> groups_;
};

}  // namespace nplab::simulator
