// Causes of stalled and idle cycles, to the cycle.
#include <catch2/catch.hpp>

#include <bit>

#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using namespace simulator;

constexpr const char* kOneCommand = "engine.command_fifo_entries=1";

Word silent(ReferenceUnit unit, unsigned command = 0, unsigned count = 1) {
  const Code transfer = unit == ReferenceUnit::kSdram ? sdram_transfer(0) : sram_transfer(0);
  return reference({unit, command, transfer, a(0), value(0), count, Completion::kSilent});
}

Cycles stalled_on(const EngineCounters& counters, StallCause cause) {
  return counters.stalled_on[static_cast<unsigned>(cause)];
}

}  // namespace

TEST_CASE("an engine that waits for its turn on the command bus is stalled on the bus") {
  BenchChip bench(chip_description("ixp1200", {kOneCommand}));
  for (unsigned engine = 0; engine < 6; ++engine)
    bench.load(engine,
               program({silent(ReferenceUnit::kScratch), silent(ReferenceUnit::kScratch), kill()}));
  bench.run();
  // The first ones are in P3 in cycle 3, and granted in 4, 5, ... in the engines' order.
  for (unsigned engine = 0; engine < 6; ++engine) {
    const EngineCounters counters = bench.counters(engine);
    CHECK(stalled_on(counters, StallCause::kCommandBus) == 1 + engine);
    CHECK(counters.stalled == 1 + engine);
    CHECK(counters.words[1].stalled_on[static_cast<unsigned>(StallCause::kCommandBus)] ==
          1 + engine);
    CHECK(counters.words[0].stalled == 0);
  }
}

TEST_CASE(
    "an engine whose command finds a full queue is stalled on that queue, but for the cycle of its "
    "grant") {
  struct Case {
    std::vector<std::string> chip;
    ReferenceUnit unit;
    StallCause cause;
  };
  for (const Case& c :
       {Case{{"sram.effective_capacity=2"}, ReferenceUnit::kSram, stall_cause("sram", "capacity")},
        Case{{"sram.order_queue=2"}, ReferenceUnit::kSram, stall_cause("sram", "order_queue")},
        Case{{"sdram.order_queue=2"}, ReferenceUnit::kSdram, stall_cause("sdram", "order_queue")},
        Case{{"scratch.queue=2"}, ReferenceUnit::kScratch, stall_cause("scratch", "queue")}}) {
    INFO(to_string(c.cause));
    std::vector<Word> words(12, silent(c.unit, 0, 4));
    words.push_back(kill());
    std::vector<std::string> chip = c.chip;
    chip.emplace_back(kOneCommand);
    BenchChip bench(chip_description("ixp1200", chip));
    bench.load(0, program(words));
    bench.run();
    const EngineCounters counters = bench.counters();
    // Every reference but the first finds the one before it in the FIFO, which is granted a cycle
    // later at the soonest.
    CHECK(stalled_on(counters, StallCause::kCommandBus) == 11);
    CHECK(stalled_on(counters, c.cause) == counters.stalled - 11);
    CHECK(stalled_on(counters, c.cause) > 10);
  }
}

TEST_CASE("an open stall is charged up to the last cycle") {
  std::vector<Word> words(12, silent(ReferenceUnit::kSdram));
  words.push_back(kill());
  const auto chip = chip_description("ixp1200", {"sdram.order_queue=2"});
  for (std::uint64_t end = 3; end < 100; ++end) {
    BenchChip bench(chip);
    bench.load(0, program(words));
    bench.run_until(end);
    INFO("stopped at " << end);
    CHECK(broken_sum(bench.counters(), end) == "");
    for (const WordCounters& word : bench.counters().words)
      CHECK(word.stalled_on[static_cast<unsigned>(stall_cause("sdram", "order_queue"))] <=
            word.stalled);
  }
}

TEST_CASE("idle cycles are told apart by what each thread did in them") {
  BenchChip bench;
  bench.load(
      0,
      program({br_context(1, 3),
               reference({ReferenceUnit::kScratch, 0, sram_transfer(0), a(0), value(0), 1}), kill(),
               reference({ReferenceUnit::kSdram, 0, sdram_transfer(0), a(0), value(0), 1}),
               kill()}),
      2);
  bench.run();
  const EngineCounters counters = bench.counters();
  const ThreadCounters &scratch = counters.threads[0], &sdram = counters.threads[1];
  constexpr unsigned kSdram = std::countr_zero(static_cast<unsigned>(isa::Event::kSdram));
  CHECK(scratch.waiting_on[kWaitsForScratch] == 11);
  CHECK(scratch.waiting_on[kWaitsForFbi] == 0);
  CHECK(scratch.waiting[kWaitsForFbi] == 11);
  CHECK(sdram.idle.waiting_on[kSdram] + sdram.idle.ready == counters.idle);
  CHECK(sdram.idle.ready == 3 + 3);  // until the start, and to wake up
  // The engine is idle behind the second thread's swap, until the first is back, and behind that
  // one's end.
  CHECK(scratch.idle.waiting_on[kWaitsForScratch] + scratch.idle.ready + scratch.idle.off ==
        counters.idle);
  CHECK(scratch.idle.ready == 3 + 3);
  CHECK(scratch.idle.waiting_on[kWaitsForScratch] > 0);
  CHECK(scratch.idle.off > 0);
  CHECK(counters.threads[2].idle.off == counters.idle);
}

TEST_CASE("a word counts the references that it sent and the longwords that these move") {
  BenchChip bench;
  bench.load(0,
             program({silent(ReferenceUnit::kSram, 1),
                      reference({ReferenceUnit::kSdram, 0, sdram_transfer(0), a(0), value(0), 3}),
                      reference({ReferenceUnit::kSram, 8, sram_transfer(0), a(0), value(0), 1}),
                      fast_wr(a(0), isa::ControlStatusRegister{}), kill()}),
             2);
  bench.run();
  const auto words = bench.counters().words;
  CHECK(words[0].unit == isa::Unit::kSram);
  CHECK(words[0].references == 2);
  CHECK(words[0].longwords == 2);
  CHECK(words[1].unit == isa::Unit::kSdram);
  CHECK(words[1].longwords == 2 * 6);
  CHECK(words[2].longwords == 2 * 2);
  CHECK(words[3].unit == isa::Unit::kFbi);
  CHECK(words[3].references == bench.fbi.commands.size());
  CHECK(words[4].references == 0);
}

}  // namespace nplab::test
