// Contexts: what a swap costs, who goes on, what waiting is charged to.
#include <catch2/catch.hpp>

#include "simulator/base/state_hash.h"
#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using isa::Event;
using simulator::Cycle;
using simulator::ThreadId;

isa::ProgramImage annotated(std::vector<Word> words, std::vector<std::pair<unsigned, Code>> marks) {
  auto image = program(std::move(words));
  for (const auto& [pc, code] : marks)
    image.annotations.push_back({pc, isa::Annotation::Kind::kConsoleHex, code, none});
  return image;
}

// local_csr_rd[dst, active_ctx]
Word active_context(Code dst) {
  return field(25, 58) | field(dst, 47);
}

}  // namespace

TEST_CASE("the first instruction after reset is in P3 after the pipeline's fill") {
  BenchChip bench;
  bench.load(0, annotated({nop(), kill()}, {{0, a(0)}}));
  bench.run();
  CHECK(bench.counters().idle == 3);
  REQUIRE(bench.annotations.entries.size() == 1);
  CHECK(bench.annotations.entries[0].at == Cycle(3));
}

TEST_CASE("contexts start in order and take turns, each swap costing its shadow slot") {
  BenchChip bench;
  bench.load(
      0, annotated({active_context(a(0)), nop(), yield(), nop(), kill()}, {{1, a(0)}, {3, a(0)}}),
      4);
  bench.run();
  std::vector<unsigned> order;
  std::vector<std::uint64_t> cycles;
  for (const auto& entry : bench.annotations.entries) {
    order.push_back(entry.first);
    cycles.push_back(entry.at.number());
  }
  CHECK(order == std::vector<unsigned>{0, 1, 2, 3, 0, 1, 2, 3});
  // Three instructions and a shadow each, then two and a shadow each.
  CHECK(cycles == std::vector<std::uint64_t>{4, 8, 12, 16, 19, 22, 25, 28});
  const auto counters = bench.counters();
  CHECK(counters.executing == 4 * 5);
  CHECK(counters.aborted == 4 * 2);
  CHECK(counters.idle == 3);
}

TEST_CASE("defer[1] fills the shadow of a swap") {
  BenchChip bench;
  bench.load(0, program({yield(1), nop(), kill()}), 2);
  bench.run();
  const auto counters = bench.counters();
  CHECK(counters.executing == 6);
  CHECK(counters.aborted == 2);  // of the kills
}

TEST_CASE("a context that yields alone goes on after its shadow") {
  BenchChip bench;
  bench.load(0, program({yield(), nop(), kill()}));
  bench.run();
  CHECK(bench.counters().idle == 3);
  CHECK(bench.counters().aborted == 2);
}

TEST_CASE("a context runs until it yields the engine, whatever others wait for") {
  BenchChip bench;
  // Thread 0 reads and swaps, thread 1 computes 40 cycles: thread 0 is ready long before it has the
  // engine again.
  std::vector<Word> words{br_context(0, 42)};
  for (int i = 0; i < 40; ++i)
    words.push_back(nop());
  words.push_back(kill());
  words.push_back(reference({ReferenceUnit::kScratch, 0, sram_transfer(0), a(0), value(0), 1}));
  words.push_back(kill());
  bench.load(0, program(words), 2);
  bench.run();
  const auto counters = bench.counters();
  CHECK(counters.threads[0].waiting[2] == 11);
  CHECK(counters.threads[0].ready > 25);
  CHECK(counters.idle == 3);
}

TEST_CASE("ctx_arb waits for all events named, and consumes them") {
  BenchChip bench;
  const Reference sram{ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(0), 1,
                       Completion::kSignal};
  const Reference scratch{ReferenceUnit::kScratch, 0, sram_transfer(1), a(0), value(0), 1,
                          Completion::kSignal};
  const Word both =
      field(24, 58) | static_cast<unsigned>(Event::kSram) | static_cast<unsigned>(Event::kFbi);
  bench.load(0, program({reference(sram), reference(scratch), both, nop(), kill()}));
  bench.run();
  const auto counters = bench.counters();
  // Of several events, the lowest missing one is charged: SRAM came last.
  CHECK(counters.threads[0].waiting[0] > 0);
  CHECK(counters.threads[0].waiting[2] == 0);
  BenchChip twice;
  twice.load(0, program({reference(sram), ctx_arb(Event::kSram), ctx_arb(Event::kSram), kill()}));
  twice.run_until(1000);
  CHECK(twice.chip.parts().live_threads() == 1);
  CHECK(twice.chip.parts().waiting() ==
        std::vector<std::string>{
            "engine 0 thread 0: waits for sram since cycle 26, yielded at word 2"});
}

TEST_CASE("a signal that came before ctx_arb is not lost") {
  BenchChip bench;
  std::vector<Word> words{reference(
      {ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(0), 1, Completion::kSignal})};
  for (int i = 0; i < 40; ++i)
    words.push_back(nop());
  words.push_back(ctx_arb(Event::kSram));
  words.push_back(kill());
  bench.load(0, program(words));
  bench.run();
  CHECK(bench.counters().threads[0].waiting[0] == 0);
  CHECK(bench.counters().idle == 3);
}

TEST_CASE("a signal from outside wakes the thread that waits for it") {
  BenchChip bench;
  bench.load(0, program({ctx_arb(Event::kInterThread), kill()}), 2);
  bench.run_until(20);
  CHECK(bench.chip.parts().live_threads() == 2);
  bench.chip.engine(simulator::EngineId(0)).signal(ThreadId(1), Event::kInterThread, Cycle(25));
  bench.run_until(60);
  CHECK(bench.chip.parts().live_threads() == 1);
  const auto counters = bench.counters();
  // Gave up in cycle 5 + 1 with its shadow behind it; seen in cycle 26.
  CHECK(counters.threads[1].waiting[4] == 26 - 7);
  CHECK(counters.threads[1].off == 60 - (26 + 3 + 2));
}

TEST_CASE("condition codes of a context survive the others") {
  BenchChip bench;
  bench.load(0,
             program({active_context(a(0)), nop(), nop(), move(none, a(0)), yield(),
                      br(If::kEqual, 8), immed(b(0), 1), kill(), immed(b(0), 2), kill()}),
             2);
  bench.run();
  CHECK(bench.reg(b(0), 0) == 2);
  CHECK(bench.reg(b(0), 1) == 1);
}

TEST_CASE("absolute registers are shared, relative ones are not") {
  BenchChip bench;
  bench.load(
      0,
      program({active_context(a(3)), alu(absolute_b(63), a(3), Alu::kAdd, absolute_b(63)), kill()}),
      4);
  bench.run();
  CHECK(bench.reg(absolute_b(63)) == 0 + 1 + 2 + 3);
  CHECK(bench.reg(b(15), 3) == 6);
  CHECK(bench.reg(absolute_a(2 * 16 + 3)) == 2);
}

TEST_CASE("leaving the program and undecodable words are faults at their place") {
  BenchChip over;
  over.load(0, program({nop(), nop()}));
  over.run_until(100);
  REQUIRE(over.watch.fault());
  CHECK(over.watch.fault()->kind == simulator::Fault::Kind::kControlStoreOverrun);
  CHECK(over.watch.fault()->pc == 2u);
  BenchChip illegal;
  illegal.load(0, program({nop(), ~Word{0}}));
  illegal.run_until(100);
  REQUIRE(illegal.watch.fault());
  CHECK(illegal.watch.fault()->kind == simulator::Fault::Kind::kIllegalInstruction);
  CHECK(illegal.watch.fault()->pc == 1u);
  CHECK(illegal.watch.fault()->at == Cycle(4));
}

TEST_CASE("the state hash tells equal states from different ones") {
  const auto hash_after = [](std::uint64_t cycles, unsigned data) {
    BenchChip bench;
    bench.load(0,
               program({immed(a(0), data),
                        reference({ReferenceUnit::kSram, 0, sram_transfer(0), a(1), value(0), 1}),
                        br(If::kAlways, 0)}),
               2);
    bench.run_until(cycles);
    return bench.chip.parts().state_hash();
  };
  CHECK(hash_after(500, 1) == hash_after(500, 1));
  CHECK(hash_after(500, 1) != hash_after(501, 1));
  CHECK(hash_after(500, 1) != hash_after(500, 2));
}

}  // namespace nplab::test
