// What a run's activity says of each interval is what an observer of every cycle saw there.
#include <catch2/catch.hpp>

#include <bit>
#include <map>

#include "simulator/observe/run_activity.h"
#include "simulator/observe/run_observer.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/mixed_load.h"
#include "tests/simulator/bench/racing_run.h"

namespace nplab::test {
namespace {

using namespace simulator;

// The states of each thread and the queues' lengths, cycle by cycle.
class CycleRecorder final : public RunObserver {
 public:
  void begin(const ObservedChip& chip) override {
    entries_.resize(chip.queues.size());
    ring_entries_.resize(chip.rings);
  }
  void context_changed(const ContextChange& change) override {
    now_[change.thread.place()] = change;
  }
  void queue_changed(std::size_t queue, unsigned entries, Cycle) override {
    entries_[queue] = entries;
  }
  void ring_changed(std::size_t ring, unsigned entries, Cycle) override {
    ring_entries_.at(ring) = entries;
  }
  void slot(const EngineSlot& slot) override { words_.push_back(slot); }
  void cycle_done(Cycle) override {
    states.push_back(now_);
    slots.push_back(std::exchange(words_, {}));
    entries.push_back(entries_);
    ring_entries.push_back(ring_entries_);
  }

  std::vector<std::map<unsigned, ContextChange>>
      states;  // by cycle and thread; those that were never on are missing
  std::vector<std::vector<EngineSlot>> slots;
  std::vector<std::vector<std::uint32_t>> entries;
  std::vector<std::vector<std::uint32_t>> ring_entries;

 private:
  std::map<unsigned, ContextChange> now_;
  std::vector<EngineSlot> words_;
  std::vector<std::uint32_t> entries_;
  std::vector<std::uint32_t> ring_entries_;
};

void add_cycle(ThreadCycles& counters, const ContextChange& seen) {
  switch (seen.state) {
    case ContextState::kOff: ++counters.off; break;
    case ContextState::kReady: ++counters.ready; break;
    case ContextState::kExecuting: ++counters.executing; break;
    case ContextState::kAborted: ++counters.aborted; break;
    case ContextState::kStalled: ++counters.stalled; break;
    case ContextState::kWaiting:
      ++counters.waiting[std::countr_zero(static_cast<unsigned>(*seen.waits_for))];
      break;
  }
}

void check_same(const ThreadCycles& found, const ThreadCycles& wanted) {
  CHECK(found.executing == wanted.executing);
  CHECK(found.aborted == wanted.aborted);
  CHECK(found.stalled == wanted.stalled);
  CHECK(found.ready == wanted.ready);
  CHECK(found.waiting == wanted.waiting);
  CHECK(found.off == wanted.off);
}

// Every word is a group of its own.
WordGroups each_word(const SimulationInputs& inputs) {
  WordGroups groups(inputs.engines.size());
  for (std::size_t engine = 0; engine < groups.size(); ++engine) {
    if (!inputs.engines[engine])
      continue;
    for (std::uint32_t word = 0; word < inputs.engines[engine]->image.words.size(); ++word)
      groups[engine].push_back(word);
  }
  return groups;
}

SimulationResult run_with_activity(SimulationInputs inputs, Mode mode,
                                   RunObserver* observer = nullptr) {
  inputs.activity = each_word(inputs);
  inputs.mode = mode;
  inputs.observation.observer = observer;
  return simulate(inputs, Kernel::kNone);
}

// The ends of a series' intervals.
std::vector<Cycles> interval_ends(Cycles interval, std::size_t count, Cycles end) {
  std::vector<Cycles> ends;
  for (std::size_t i = 0; i < count; ++i)
    ends.push_back(std::min((i + 1) * interval, end));
  return ends;
}

// Gives the number of intervals.
std::size_t check_run(std::uint64_t seed) {
  INFO("seed " << seed);
  PreparedRun unseen = racing_run(seed, 3000), seen = racing_run(seed, 3000);
  const auto result = run_with_activity(unseen.inputs, Mode::kWindows);
  CycleRecorder cycles;
  (void)run_with_activity(seen.inputs, Mode::kWindows, &cycles);
  REQUIRE(result.activity);
  const ActivitySeries& activity = *result.activity;
  REQUIRE(cycles.states.size() == result.cycles);
  const auto ends = interval_ends(activity.interval, activity.samples.size(), result.cycles);
  REQUIRE(ends.size() == (result.cycles + activity.interval - 1) / activity.interval);
  CHECK(!activity.threads.empty());
  for (std::size_t number = 0; number < activity.threads.size(); ++number) {
    INFO("thread " << number);
    ThreadCycles told;
    for (std::size_t i = 0, cycle = 0; i < ends.size(); ++i) {
      for (; cycle < ends[i]; ++cycle) {
        const auto& states = cycles.states[cycle];
        const auto found = states.find(activity.threads[number].place());
        if (found == states.end())
          ++told.off;
        else
          add_cycle(told, found->second);
      }
      INFO("interval " << i);
      check_same(activity.samples[i].threads[number], told);
    }
  }
  for (std::size_t i = 0; i < ends.size(); ++i)
    CHECK(activity.samples[i].queues == cycles.entries[ends[i] - 1]);
  return ends.size();
}

}  // namespace

// Some of the programs fault early.
TEST_CASE("threads and queues of each interval are those that an observer of every cycle saw") {
  std::size_t intervals = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    intervals += check_run(seed);
  CHECK(intervals > 200);
}

TEST_CASE("the words' cycles of each interval are those that an observer of every cycle saw") {
  const auto seed = GENERATE(range(0, 6));
  INFO("seed " << seed);
  PreparedRun unseen = racing_run(seed, 8000), seen = racing_run(seed, 8000);
  const auto result = run_with_activity(unseen.inputs, Mode::kWindows);
  CycleRecorder cycles;
  (void)run_with_activity(seen.inputs, Mode::kWindows, &cycles);
  const ActivitySeries& activity = *result.activity;
  const auto ends = interval_ends(activity.group_interval, activity.groups.size(), result.cycles);
  CHECK(ends.back() == result.cycles);
  std::map<std::pair<unsigned, std::uint32_t>, WordCounters> told;
  std::size_t cycle = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    for (; cycle < ends[i]; ++cycle) {
      for (const EngineSlot& slot : cycles.slots[cycle]) {
        WordCounters& word = told[{slot.thread.engine.index(), slot.word}];
        ++(slot.state == ContextState::kExecuting ? word.executing
           : slot.state == ContextState::kAborted ? word.aborted
                                                  : word.stalled);
      }
    }
    for (const auto& [place, word] : told) {
      INFO("interval " << i << ", engine " << place.first << ", word " << place.second);
      const WordActivity& counted = activity.groups[i].at(place.first).at(place.second);
      CHECK(counted.executing == word.executing);
      CHECK(counted.aborted == word.aborted);
      CHECK(counted.stalled == word.stalled);
    }
  }
}

TEST_CASE("activity is the same in every mode, and collecting it changes nothing") {
  auto inputs = mixed_load(chip_description("ixp1200"));
  inputs.stop.at = Cycle(30'011);
  const auto plain = simulate(inputs, Kernel::kNone);
  const auto windows = run_with_activity(inputs, Mode::kWindows),
             lockstep = run_with_activity(inputs, Mode::kLockstep);
  CHECK(windows.state_hash == plain.state_hash);
  CHECK(lockstep.state_hash == plain.state_hash);
  REQUIRE(windows.activity->samples.size() == lockstep.activity->samples.size());
  bool waited = false;
  for (std::size_t i = 0; i < windows.activity->samples.size(); ++i) {
    const ActivitySample &one = windows.activity->samples[i],
                         &other = lockstep.activity->samples[i];
    INFO("interval " << i);
    CHECK(one.queues == other.queues);
    CHECK(one.sram.active_cycles == other.sram.active_cycles);
    CHECK(one.sdram.references == other.sdram.references);
    for (std::size_t thread = 0; thread < one.threads.size(); ++thread)
      check_same(one.threads[thread], other.threads[thread]);
    for (const std::uint32_t entries : one.queues)
      waited = waited || entries > 0;
  }
  CHECK(waited);
  CHECK(windows.activity->samples.back().sram.active_cycles == windows.sram.active_cycles);
  CHECK(windows.activity->samples.back().sdram.references == windows.sdram.references);
}

// The load writes what it computes where these rings have their counts.
TEST_CASE("software's rings of each interval are those that an observer of every cycle saw") {
  auto inputs = mixed_load(chip_description("ixp1200"));
  inputs.stop.at = Cycle(20'001);
  inputs.rings = {{isa::MemorySpace::kSram, 0, 8, 16},
                  {isa::MemorySpace::kSram, 0x100, 0x108, 0x108}};
  const auto unseen = run_with_activity(inputs, Mode::kWindows);
  CycleRecorder cycles;
  const auto seen = run_with_activity(inputs, Mode::kWindows, &cycles);
  CHECK(unseen.state_hash == seen.state_hash);
  const ActivitySeries& activity = *unseen.activity;
  const auto ends = interval_ends(activity.interval, activity.samples.size(), unseen.cycles);
  std::size_t changes = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    INFO("interval " << i);
    CHECK(activity.samples[i].ring_entries == cycles.ring_entries[ends[i] - 1]);
    changes += i > 0 && activity.samples[i].ring_entries != activity.samples[i - 1].ring_entries;
  }
  CHECK(changes > 10);
  CHECK(activity.samples.back().ring_entries == entries_of(unseen.rings));
}

TEST_CASE("intervals grow with the run, so that there are never many") {
  auto inputs = mixed_load(chip_description("ixp1200"));
  inputs.stop.at = Cycle(300'000);
  const auto result = run_with_activity(inputs, Mode::kWindows);
  CHECK(result.activity->groups.size() <= RunActivity::kMostGroupSamples);
  CHECK(result.activity->groups.size() > RunActivity::kMostGroupSamples / 2);
  CHECK(result.activity->group_interval == 2048);
  CHECK(result.activity->interval == 64);
  CHECK(result.activity->samples.size() == 300'000 / 64 + 1);
}

}  // namespace nplab::test
