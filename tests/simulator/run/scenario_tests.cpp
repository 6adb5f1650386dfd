// Scenarios of several threads, engines and references, told in cycles: who goes on when, who waits
// for whom.
#include <catch2/catch.hpp>

#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using isa::Event;
using simulator::Cycle;
using simulator::EngineId;
using simulator::ThreadId;

// A program of sections, one a context, and marks whose cycles are kept.
struct Script {
  std::vector<Word> words;
  std::vector<unsigned> marks;

  void add(Word word) { words.push_back(word); }
  void add(Word word, unsigned times) { words.insert(words.end(), times, word); }
  // The cycle in which the next word executes will be noted.
  void mark() { marks.push_back(static_cast<unsigned>(words.size())); }

  [[nodiscard]] isa::ProgramImage image() const {
    isa::ProgramImage image = program(words);
    for (const unsigned pc : marks)
      image.annotations.push_back({pc, isa::Annotation::Kind::kConsoleHex, value(0), value(0)});
    return image;
  }
};

struct Seen {
  unsigned thread = 0;
  std::uint64_t at = 0;
  bool operator==(const Seen&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  return out << "thread " << seen.thread << " in " << seen.at;
}
std::vector<Seen> seen(const BenchChip& bench) {
  std::vector<Seen> all;
  for (const auto& entry : bench.annotations.entries)
    all.push_back({entry.thread.number(), entry.at.number()});
  return all;
}

Word read(ReferenceUnit unit, Completion completion = Completion::kSwap, unsigned count = 1,
          unsigned tokens = 0) {
  Reference r{
      unit,      0,        unit == ReferenceUnit::kSdram ? sdram_transfer(0) : sram_transfer(0),
      value(0),  value(0), count,
      completion};
  r.tokens = tokens;
  return reference(r);
}

// br=ctx to a section for each context but 0, patched in when the section begins.
void dispatch(Script& script, unsigned contexts) {
  for (unsigned i = 1; i < contexts; ++i)
    script.add(0);
}
void begin_section(Script& script, unsigned context) {
  script.words[context - 1] = br_context(context, static_cast<unsigned>(script.words.size()));
}

}  // namespace

TEST_CASE("the next in rotation goes on, not who became ready first") {
  Script script;
  dispatch(script, 4);
  // Thread 0 computes while the others wait for SDRAM, SRAM and scratch: they become ready in the
  // order 3, 2, 1.
  script.add(yield());
  script.add(nop(), 60);
  script.mark();
  script.add(kill());
  const ReferenceUnit units[] = {ReferenceUnit::kSdram, ReferenceUnit::kSram,
                                 ReferenceUnit::kScratch};
  for (unsigned context = 1; context < 4; ++context) {
    begin_section(script, context);
    script.add(read(units[context - 1]));
    script.mark();
    script.add(kill());
  }
  BenchChip bench;
  bench.load(0, script.image(), 4);
  bench.run();
  // 0: three branches, the yield and its shadow: 3 to 7. 1: a branch taken (2), the read, its
  // shadow: 8 to 12. 2: one more branch: 13 to 18. 3: 19 to 25. Then 0 again: 26 to 85, the kill in
  // 86 and its shadow.
  CHECK(seen(bench) == std::vector<Seen>{{0, 86}, {1, 88}, {2, 90}, {3, 92}});
}

TEST_CASE("an idle engine dispatches the context that wakes first, three cycles after the event") {
  Script script;
  dispatch(script, 2);
  script.add(read(ReferenceUnit::kSdram));
  script.mark();
  script.add(kill());
  begin_section(script, 1);
  script.add(read(ReferenceUnit::kScratch));
  script.mark();
  script.add(kill());
  BenchChip bench;
  bench.load(0, script.image(), 2);
  bench.run();
  // 0: the branch in 3, its read in 4: event in 4 + 34 or, in step with the SDRAM's clock, 39; in
  // P3 in 40 + 3. 1: the branch in 6 and its shadow, the read in 9, its event in 21, in P3 in 22
  // + 3.
  CHECK(seen(bench) == std::vector<Seen>{{1, 25}, {0, 43}});
  CHECK(bench.counters().threads[1].waiting[2] == 22 - 11);
  CHECK(bench.counters().threads[1].ready == 6 + 3);
}

TEST_CASE("a thread that never yields the engine starves the others, one that yields does not") {
  const auto run = [](bool yields) {
    Script script;
    dispatch(script, 2);
    const auto loop = static_cast<unsigned>(script.words.size());
    script.add(yields ? yield() : nop());
    script.add(br(If::kAlways, loop));
    begin_section(script, 1);
    script.mark();
    script.add(kill());
    BenchChip bench;
    bench.load(0, script.image(), 2);
    bench.run_until(10'000);
    // Its branch in 6 with two aborted, the kill in 9 and its shadow.
    CHECK(bench.counters().threads[1].off == (yields ? 10'000 - 11 : 0));
    return bench.counters().threads[1].ready;
  };
  CHECK(run(false) == 10'000);
  // The branch, the yield, its shadow: thread 1 is in P3 in cycle 6.
  CHECK(run(true) == 6);
}

TEST_CASE(
    "push-back: a full FIFO stalls the engine until a place is free in the cycle after a grant") {
  // SRAM takes one reference at a time into a queue of one; its bus is taken 16 cycles by eight
  // longwords.
  BenchChip bench(
      chip_description("ixp1200", {"engine.command_fifo_entries=1", "sram.order_queue=1"}));
  Script script;
  for (unsigned i = 0; i < 6; ++i) {
    script.mark();
    script.add(read(ReferenceUnit::kSram, Completion::kSilent, 8));
  }
  script.add(kill());
  bench.load(0, script.image());
  bench.run();
  const auto counters = bench.counters();
  std::vector<std::uint64_t> stalled;
  for (unsigned i = 0; i < 6; ++i)
    stalled.push_back(counters.words[i].stalled);
  // The engine comes to rest at one reference in 16 cycles: one executing, 15 stalled.
  CHECK(stalled[4] == 15);
  CHECK(stalled[5] == 15);
  CHECK(stalled[0] == 0);
  CHECK(counters.stalled == stalled[1] + stalled[2] + stalled[3] + 15 + 15);
}

TEST_CASE("another engine's commands pass an engine that is held back") {
  BenchChip bench(
      chip_description("ixp1200", {"engine.command_fifo_entries=1", "sram.order_queue=1"}));
  Script crowd;
  crowd.add(read(ReferenceUnit::kSram, Completion::kSilent, 8), 8);
  crowd.add(kill());
  bench.load(0, crowd.image());
  Script other;
  other.add(nop(), 30);
  other.add(read(ReferenceUnit::kScratch));
  other.mark();
  other.add(kill());
  bench.load(1, other.image());
  bench.run();
  // As if alone: issued in 33, event in 45, in P3 in 46 + 3.
  CHECK(seen(bench) == std::vector<Seen>{{4, 49}});
}

TEST_CASE("references to one unit complete in order, to different units as fast as each is") {
  Script script;
  script.add(read(ReferenceUnit::kSdram, Completion::kSignal));
  script.add(read(ReferenceUnit::kSram, Completion::kSignal));
  script.add(read(ReferenceUnit::kScratch, Completion::kSignal));
  script.add(ctx_arb(Event::kFbi));
  script.mark();
  script.add(ctx_arb(Event::kSram));
  script.mark();
  script.add(ctx_arb(Event::kSdram));
  script.mark();
  script.add(kill());
  BenchChip bench;
  bench.load(0, script.image());
  bench.run();
  // Issued in 3, 4 and 5. Scratch: 5 + 12 = 17, P3 in 18 + 3. SRAM: in step with its clock 22,
  // which is seen in 23, when the thread has just given up the engine: P3 in 23 + 3. SDRAM: 37, P3
  // in 38 + 3.
  CHECK(seen(bench) == std::vector<Seen>{{0, 21}, {0, 26}, {0, 41}});
}

TEST_CASE("optimised reads overtake what keeps its order, priority overtakes both") {
  constexpr auto optimize = static_cast<unsigned>(isa::Token::kOptimizeMem);
  constexpr auto priority = static_cast<unsigned>(isa::Token::kPriority);
  Script script;
  dispatch(script, 4);
  // Reads of eight keep the unit busy; then each thread sends one of its kind and waits.
  script.add(read(ReferenceUnit::kSram, Completion::kSilent, 8), 6);
  script.add(read(ReferenceUnit::kSram));
  script.mark();
  script.add(kill());
  const unsigned tokens[] = {0, optimize, priority};
  for (unsigned context = 1; context < 4; ++context) {
    begin_section(script, context);
    // So that the unit chooses in cycles 10, 26 and 42, and the reads of threads 2 and 3 come in 28
    // and 36.
    script.add(nop());
    script.add(read(ReferenceUnit::kSram, Completion::kSwap, 1, tokens[context - 1]));
    script.mark();
    script.add(kill());
  }
  BenchChip bench(chip_description("ixp1200", {"engine.command_fifo_entries=8"}));
  bench.load(0, script.image(), 4);
  bench.run();
  std::vector<unsigned> order;
  for (const Seen& entry : seen(bench))
    order.push_back(entry.thread);
  CHECK(order == std::vector<unsigned>{3, 2, 0, 1});
}

TEST_CASE(
    "engines are granted in rotation: six that refer at once arrive one per cycle and wake one per "
    "bus cycle") {
  BenchChip bench(chip_description("ixp1200", {"command_bus.latency=2"}));
  Script script;
  script.add(read(ReferenceUnit::kScratch));
  script.mark();
  script.add(kill());
  for (unsigned engine = 0; engine < 6; ++engine)
    bench.load(engine, script.image());
  bench.run();
  std::vector<Seen> expected;
  for (unsigned engine = 0; engine < 6; ++engine)
    expected.push_back({4 * engine, 19 + engine});
  CHECK(seen(bench) == expected);
}

TEST_CASE("a signal between threads is an event of the one named alone") {
  Script script;
  dispatch(script, 2);
  script.add(ctx_arb(Event::kInterThread));
  script.mark();
  script.add(kill());
  begin_section(script, 1);
  script.add(ctx_arb(Event::kInterThread));
  script.mark();
  script.add(kill());
  BenchChip bench;
  bench.load(0, script.image(), 2);
  bench.chip.engine(EngineId(0)).signal(ThreadId(1), Event::kInterThread, Cycle(50));
  bench.run_until(100);
  CHECK(seen(bench) == std::vector<Seen>{{1, 51 + 3}});
  CHECK(bench.chip.parts().live_threads() == 1);
}

TEST_CASE("two completions before the first is taken leave one event") {
  Script script;
  script.add(read(ReferenceUnit::kScratch, Completion::kSignal), 2);
  script.add(nop(), 30);
  script.add(ctx_arb(Event::kFbi));
  script.mark();
  script.add(ctx_arb(Event::kFbi));
  script.mark();
  script.add(kill());
  BenchChip bench;
  bench.load(0, script.image());
  bench.run_until(500);
  // Words 0 to 32 in cycles 3 to 35, a shadow; the second wait is for ever.
  CHECK(seen(bench) == std::vector<Seen>{{0, 37}});
  CHECK(bench.chip.parts().live_threads() == 1);
}

TEST_CASE(
    "a lock goes to who waits for it in the order of failing, in the cycle its unlock frees it") {
  // Each thread holds the lock for 40 cycles.
  Script script;
  script.add(reference({ReferenceUnit::kSram, 2, sram_transfer(0), value(0), value(0), 1}));
  script.mark();
  script.add(nop(), 40);
  script.add(reference({ReferenceUnit::kSram, 3, sram_transfer(0), value(0), value(0), 1}));
  script.add(kill());
  BenchChip bench;
  for (unsigned engine = 0; engine < 3; ++engine)
    bench.load(engine, script.image());
  bench.run();
  std::vector<unsigned> order;
  std::vector<std::uint64_t> apart;
  std::uint64_t before = 0;
  for (const Seen& entry : seen(bench)) {
    order.push_back(entry.thread);
    if (before != 0)
      apart.push_back(entry.at - before);
    before = entry.at;
  }
  CHECK(order == std::vector<unsigned>{0, 4, 8});
  // From one holder to the next: 40 words to the write_unlock in P3; chosen 1 + 2 cycles later, the
  // failed read_lock a clock of the SRAM behind it. The write begins 6 cycles behind its choice, on
  // a bus that has turned since, and takes a longword's 2; the read takes turn and longword behind
  // it; event 6 later, seen a cycle later, in P3 three later.
  REQUIRE(apart.size() == 2);
  CHECK(apart[0] == apart[1]);
  CHECK(apart[0] >= 40 + 3 + 6 + 2 + 4 + 6 + 1 + 3);
  CHECK(apart[0] <= 40 + 3 + 6 + 2 + 4 + 6 + 1 + 3 + 1);  // the choice waits for the SRAM's clock
}

}  // namespace nplab::test
