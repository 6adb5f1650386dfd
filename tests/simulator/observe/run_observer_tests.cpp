// What an observer is told adds up to what the run counts, and looking changes nothing.
#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "simulator/observe/run_observer.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/mixed_load.h"
#include "tests/simulator/bench/racing_run.h"

namespace nplab::test {
namespace {

using namespace simulator;

// Keeps everything.
class Recorder final : public RunObserver {
 public:
  void begin(const ObservedChip& observed) override { chip = observed; }
  void context_changed(const ContextChange& change) override { changes.push_back(change); }
  void slot(const EngineSlot& slot) override { slots.push_back(slot); }
  void instruction(const ExecutedInstruction& executed) override {
    instructions.push_back(executed);
  }
  void reference(const TracedReference& reference) override { references.push_back(reference); }
  void queue_changed(std::size_t queue, unsigned entries, Cycle) override {
    REQUIRE(queue < chip.queues.size());
    peaks[chip.queues[queue]] = std::max(peaks[chip.queues[queue]], entries);
  }
  void bus_taken(std::size_t bus, Cycle at) override { taken_from[bus] = at; }
  void bus_freed(std::size_t bus, Cycle at) override {
    taken[bus] += at - taken_from.at(bus);
    taken_from.erase(bus);
  }
  void packet(const PacketEvent& event) override { packets.push_back(event); }
  void cycle_done(Cycle at) override { cycles.push_back(at.number()); }
  void paused(Cycle at) override { paused_at.push_back(at.number()); }
  void end(Cycle at) override {
    for (const auto& [bus, from] : taken_from)
      taken[bus] += at - from;
    ended.push_back(at.number());
  }

  ObservedChip chip;
  std::vector<ContextChange> changes;
  std::vector<EngineSlot> slots;
  std::vector<ExecutedInstruction> instructions;
  std::vector<TracedReference> references;
  std::map<std::string, unsigned> peaks;
  std::map<std::size_t, Cycle> taken_from;
  std::map<std::size_t, Cycles> taken;
  std::vector<PacketEvent> packets;
  std::vector<std::uint64_t> cycles;
  std::vector<std::uint64_t> paused_at;
  std::vector<std::uint64_t> ended;
};

SimulationResult observe(SimulationInputs inputs, RunObserver& observer, Cycle from = Cycle(),
                         Cycle to = Cycle::never()) {
  inputs.observation = {&observer, from, to};
  return simulate(inputs, Kernel::kNone);
}

// The counters that the told states add up to until `end`.
ThreadCounters told_counters(const Recorder& told, ThreadId thread, Cycles end) {
  ThreadCounters counters;
  ContextChange state{thread, Cycle(), ContextState::kOff, {}, 0};
  const auto charge = [&](Cycle until) {
    const Cycles cycles = until - state.at;
    switch (state.state) {
      case ContextState::kOff: counters.off += cycles; break;
      case ContextState::kReady: counters.ready += cycles; break;
      case ContextState::kExecuting: counters.executing += cycles; break;
      case ContextState::kAborted: counters.aborted += cycles; break;
      case ContextState::kStalled: counters.stalled += cycles; break;
      case ContextState::kWaiting:
        counters.waiting[std::countr_zero(static_cast<unsigned>(*state.waits_for))] += cycles;
        break;
    }
  };
  for (const ContextChange& change : told.changes) {
    if (change.thread != thread)
      continue;
    charge(change.at);
    state = change;
  }
  charge(Cycle(end));
  return counters;
}

void check_threads(const Recorder& told, const SimulationResult& result) {
  for (unsigned engine = 0; engine < result.engines.size(); ++engine) {
    for (unsigned context = 0; context < told.chip.contexts; ++context) {
      INFO("engine " << engine << " thread " << context);
      const ThreadCounters& counted = result.engines[engine].threads[context];
      const auto sums = told_counters(told, {EngineId(engine), ContextId(context)}, result.cycles);
      CHECK(sums.executing == counted.executing);
      CHECK(sums.aborted == counted.aborted);
      CHECK(sums.stalled == counted.stalled);
      CHECK(sums.ready == counted.ready);
      CHECK(sums.waiting == counted.waiting);
      CHECK(sums.off == counted.off);
    }
  }
}

void check_words(const Recorder& told, const SimulationResult& result) {
  std::vector<std::vector<WordCounters>> words, executed;
  for (const EngineCounters& engine : result.engines)
    words.emplace_back(engine.words.size());
  executed = words;
  for (const EngineSlot& slot : told.slots) {
    WordCounters& word = words.at(slot.thread.engine.index()).at(slot.word);
    (slot.state == ContextState::kExecuting ? word.executing
     : slot.state == ContextState::kAborted ? word.aborted
                                            : word.stalled) += 1;
  }
  for (const ExecutedInstruction& instruction : told.instructions) {
    WordCounters& word = executed.at(instruction.thread.engine.index()).at(instruction.word);
    ++word.executing;
    word.aborted += instruction.aborted;
    word.stalled += instruction.stalled;
  }
  for (std::size_t engine = 0; engine < words.size(); ++engine) {
    // What has not ended with the run is not told of as an instruction.
    Cycles slots_left = 0;
    for (std::size_t word = 0; word < words[engine].size(); ++word) {
      INFO("engine " << engine << " word " << word);
      const WordCounters& counted = result.engines[engine].words[word];
      CHECK(words[engine][word].executing == counted.executing);
      CHECK(words[engine][word].aborted == counted.aborted);
      CHECK(words[engine][word].stalled == counted.stalled);
      CHECK(executed[engine][word].executing <= counted.executing);
      slots_left += counted.executing - executed[engine][word].executing;
    }
    CHECK(slots_left <= 4);
  }
}

void check_references(const Recorder& told, const SimulationResult& result) {
  std::map<isa::Unit, MemoryCounters> sums;
  for (const TracedReference& reference : told.references) {
    MemoryCounters& sum = sums[reference.unit];
    ++sum.references;
    sum.longwords += reference.longwords;
    sum.total_latency += reference.completed - reference.issued;
    REQUIRE(reference.granted);
    CHECK(reference.issued < *reference.granted);
    CHECK(*reference.granted < reference.served);
    CHECK(reference.served <= reference.completed);
  }
  for (const auto& [unit, counted] : {std::pair{isa::Unit::kSram, result.sram},
                                      {isa::Unit::kSdram, result.sdram},
                                      {isa::Unit::kScratch, result.scratch}}) {
    CHECK(sums[unit].references == counted.references);
    CHECK(sums[unit].longwords == counted.longwords);
    CHECK(sums[unit].total_latency == counted.total_latency);
  }
}

}  // namespace

TEST_CASE("what an observer is notified of every cycle adds up to what the run counts") {
  const auto seed = GENERATE(range(0, 24));
  INFO("seed " << seed);
  PreparedRun run = racing_run(seed, 3000);
  Recorder told;
  const auto result = observe(run.inputs, told);
  check_threads(told, result);
  check_words(told, result);
  check_references(told, result);
  CHECK(told.cycles.size() == result.cycles);
  CHECK(told.ended == std::vector<std::uint64_t>{result.cycles});
  const std::array<Cycles, 3> active{result.sram.active_cycles, result.sdram.active_cycles,
                                     result.scratch.active_cycles};
  for (std::size_t bus = 0; bus < active.size(); ++bus) {
    INFO(told.chip.buses[bus]);
    CHECK(told.taken[bus] == active[bus]);
  }
}

TEST_CASE(
    "an observer is notified of packets with their identity as they are received, judged, dropped "
    "and sent") {
  std::uint64_t received = 0, told_received = 0;
  for (const std::uint64_t seed : {1, 2, 6, 8, 9}) {
    PreparedRun run = racing_run(seed, 6000);
    Recorder told;
    received += observe(run.inputs, told).frames.received;
    std::set<std::uint64_t> identities;
    for (const PacketEvent& event : told.packets) {
      if (event.kind != PacketEvent::Kind::kReceived)
        continue;
      ++told_received;
      CHECK(identities.insert(event.packet).second);
      CHECK(event.port);
    }
  }
  CHECK(received > 0);
  CHECK(told_received == received);
}

TEST_CASE("a run that is looked at ends in the same state as one that is not") {
  const auto seed = GENERATE(range(0, 20));
  INFO("seed " << seed);
  const auto plain = simulate(racing_run(seed, 3000).inputs, Kernel::kNone);
  Recorder told;
  PreparedRun looked_at = racing_run(seed, 3000);
  const auto observed = observe(looked_at.inputs, told, Cycle(700), Cycle(1900));
  CHECK(observed.cycles == plain.cycles);
  CHECK(observed.state_hash == plain.state_hash);
}

TEST_CASE("an observer is notified of its range alone, and the rest of the run takes windows") {
  const SimulationInputs inputs = [] {
    auto made = mixed_load(chip_description("ixp1200"));
    made.stop.at = Cycle(20'000);
    return made;
  }();
  Recorder whole, part;
  observe(inputs, whole);
  observe(inputs, part, Cycle(5000), Cycle(5600));
  REQUIRE(part.cycles.size() == 600);
  CHECK(part.cycles.front() == 5000);
  CHECK(part.cycles.back() == 5599);
  CHECK(part.ended == std::vector<std::uint64_t>{5600});
  std::vector<EngineSlot> slots;
  for (const EngineSlot& slot : whole.slots)
    if (slot.at >= Cycle(5000) && slot.at < Cycle(5600))
      slots.push_back(slot);
  REQUIRE(part.slots.size() == slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    CHECK(part.slots[i].thread == slots[i].thread);
    CHECK(part.slots[i].at == slots[i].at);
    CHECK(part.slots[i].state == slots[i].state);
    CHECK(part.slots[i].word == slots[i].word);
  }
  std::uint64_t touching = 0;
  for (const TracedReference& reference : whole.references)
    touching += reference.completed >= Cycle(5000) && reference.issued < Cycle(5600);
  CHECK(part.references.size() == touching);
  CHECK(touching > 100);
}

TEST_CASE("of several ranges an observer is notified of each as if it were the only one") {
  auto inputs = mixed_load(chip_description("ixp1200"));
  inputs.stop.at = Cycle(9000);
  const CycleRange ranges[] = {
      {Cycle(2000), Cycle(2300)}, {Cycle(5000), Cycle(5600)}, {Cycle(5600), Cycle(5650)}};
  Recorder together;
  inputs.observation = {&together, ranges[0].from, ranges[0].to, {ranges[1], ranges[2]}};
  const auto result = simulate(inputs, Kernel::kNone);
  std::vector<std::uint64_t> cycles;
  std::size_t slots = 0, changes = 0;
  for (const CycleRange& range : ranges) {
    Recorder alone;
    CHECK(observe(inputs, alone, range.from, range.to).state_hash == result.state_hash);
    cycles.insert(cycles.end(), alone.cycles.begin(), alone.cycles.end());
    REQUIRE(changes + alone.changes.size() <= together.changes.size());
    for (const ContextChange& change : alone.changes) {
      const ContextChange& other = together.changes[changes++];
      CHECK(other.thread == change.thread);
      CHECK(other.at == change.at);
      CHECK(other.state == change.state);
      CHECK(other.waits_for == change.waits_for);
    }
    slots += alone.slots.size();
  }
  CHECK(together.cycles == cycles);
  CHECK(together.changes.size() == changes);
  CHECK(together.slots.size() == slots);
  CHECK(together.paused_at == std::vector<std::uint64_t>{2300, 5600});
  CHECK(together.ended == std::vector<std::uint64_t>{5650});
}

TEST_CASE("a range after the run's end gets its end and nothing else") {
  auto inputs = mixed_load(chip_description("ixp1200"));
  inputs.stop.at = Cycle(1000);
  Recorder told;
  observe(inputs, told, Cycle(5000), Cycle(6000));
  CHECK(told.cycles.empty());
  CHECK(told.slots.empty());
  CHECK(told.ended == std::vector<std::uint64_t>{1000});
}

TEST_CASE("queues are named and fill no further than they can") {
  auto inputs = mixed_load(chip_description("ixp1200"));
  inputs.stop.at = Cycle(5000);
  Recorder told;
  const auto result = observe(inputs, told);
  const auto entries = [&](const std::string& name) {
    const auto at = std::find(told.chip.queues.begin(), told.chip.queues.end(), name);
    REQUIRE(at != told.chip.queues.end());
    return told.chip.queue_entries[static_cast<std::size_t>(at - told.chip.queues.begin())];
  };
  CHECK(told.peaks.at("engine0.command_fifo") > 0);
  CHECK(told.peaks.at("engine0.command_fifo") <= entries("engine0.command_fifo"));
  CHECK(told.peaks.at("sram.order_queue") > 0);
  CHECK(told.peaks.at("sram.order_queue") <= entries("sram.order_queue"));
  CHECK(told.peaks.at("scratch.queue") > 0);
  CHECK(result.cycles == 5000);
}

}  // namespace nplab::test
