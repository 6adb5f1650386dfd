// References: latencies, what they move, push-back, saturation.
#include <catch2/catch.hpp>

#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using simulator::Cycles;

// Waiting of one blocking reference, counted from its issue: from the cycle it is in P3 to its
// event.
Cycles latency_of(const Reference& r) {
  BenchChip bench;
  bench.load(0, program({reference(r), kill()}));
  bench.run();
  const auto& statistics = r.unit == ReferenceUnit::kSram    ? bench.chip.sram().statistics()
                           : r.unit == ReferenceUnit::kSdram ? bench.chip.sdram().statistics()
                                                             : bench.chip.scratch().statistics();
  REQUIRE(statistics.references() == 1);
  return statistics.total_latency();
}

}  // namespace

TEST_CASE("unloaded latencies lie in the published ranges") {
  const Cycles scratch =
      latency_of({ReferenceUnit::kScratch, 0, sram_transfer(0), a(0), value(0), 1});
  CHECK(scratch >= 12);
  CHECK(scratch <= 14);
  const Cycles sram = latency_of({ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(0), 1});
  CHECK(sram >= 16);
  CHECK(sram <= 20);
  const Cycles sdram = latency_of({ReferenceUnit::kSdram, 0, sdram_transfer(0), a(0), value(0), 1});
  CHECK(sdram >= 33);
  CHECK(sdram <= 40);
}

TEST_CASE(
    "a blocking read makes its thread ready in the cycle after its data, in P3 three cycles "
    "later") {
  BenchChip bench;
  bench.load(0,
             program({reference({ReferenceUnit::kScratch, 0, sram_transfer(0), a(0), value(0), 1}),
                      kill()}));
  bench.run();
  const auto counters = bench.counters();
  // In P3 in cycle 3, event in cycle 15, in P3 again in cycle 19: three cycles of start, one of
  // shadow, three to wake up.
  CHECK(counters.executing == 2);
  CHECK(counters.aborted == 2);
  CHECK(counters.idle == 3 + 11 + 3);
  CHECK(counters.threads[0].waiting[2] == 11);  // bit of isa::Event::kFbi
  CHECK(counters.threads[0].ready == 3 + 3);
  CHECK(counters.words[0].waiting == 11);
}

TEST_CASE("a write and a read of every memory return what was written") {
  struct Case {
    ReferenceUnit unit;
    Code (*transfer)(unsigned);
    unsigned count;  // units of access
    unsigned longwords;
  };
  for (const Case& c : {Case{ReferenceUnit::kSram, sram_transfer, 8, 8},
                        Case{ReferenceUnit::kScratch, sram_transfer, 8, 8},
                        Case{ReferenceUnit::kSdram, sdram_transfer, 4, 8}}) {
    std::vector<Word> words;
    for (unsigned i = 0; i < c.longwords; ++i)
      words.push_back(immed(c.transfer(i), 0x100 + i));
    words.push_back(immed(a(0), 0x40));
    words.push_back(reference({c.unit, 1, c.transfer(0), a(0), value(8), c.count}));
    words.push_back(reference({c.unit, 0, c.transfer(0), a(0), value(8), c.count}));
    words.push_back(kill());
    BenchChip bench;
    bench.load(0, program(words));
    bench.run();
    for (unsigned i = 0; i < c.longwords; ++i)
      CHECK(bench.reg(c.transfer(i)) == 0x100 + i);
    const auto& storage = c.unit == ReferenceUnit::kSram    ? bench.chip.sram().storage()
                          : c.unit == ReferenceUnit::kSdram ? bench.chip.sdram().storage()
                                                            : bench.chip.scratch().storage();
    CHECK(storage.peek(0x48) == 0x100);
  }
}

TEST_CASE("bit operations are atomic and return the old longword") {
  for (const ReferenceUnit unit : {ReferenceUnit::kSram, ReferenceUnit::kScratch}) {
    BenchChip bench;
    bench.load(0, program({immed(sram_transfer(0), 0x0f),
                           reference({unit, 8, sram_transfer(0), a(0), value(0), 1}),
                           immed(sram_transfer(0), 0x03),
                           reference({unit, 9, sram_transfer(0), a(0), value(0), 1}),
                           immed(sram_transfer(0), 0x30),
                           reference({unit, 10, sram_transfer(0), a(0), value(0), 1}),
                           move(b(0), sram_transfer(0)), immed(sram_transfer(0), 0x04),
                           reference({unit, 11, sram_transfer(0), a(0), value(0), 1}),
                           move(b(1), sram_transfer(0)), kill()}));
    bench.run();
    CHECK(bench.reg(b(0)) == 0x0c);
    CHECK(bench.reg(b(1)) == 0x3c);
    const auto& storage =
        unit == ReferenceUnit::kSram ? bench.chip.sram().storage() : bench.chip.scratch().storage();
    CHECK(storage.peek(0) == 0x38);
  }
}

TEST_CASE("increments of all threads are all counted") {
  BenchChip bench;
  const auto increments =
      program({reference({ReferenceUnit::kScratch, 6, none, a(0), value(0), 1}),
               reference({ReferenceUnit::kScratch, 6, none, a(0), value(0), 1}), kill()});
  for (unsigned engine = 0; engine < 6; ++engine)
    bench.load(engine, increments, 4);
  bench.run();
  CHECK(bench.chip.scratch().storage().peek(0) == 48);
}

TEST_CASE("free lists give blocks back in reverse order, then 0") {
  BenchChip bench;
  const auto push = [](unsigned address) {
    return three_operands(16, none, a(address), value(0)) | field(12, 20) | field(2, 12) | 1;
  };
  const Word pop =
      three_operands(16, sram_transfer(0), none, none) | field(13, 20) | field(2, 12) | 1;
  bench.load(0, program({immed(a(0), 0x10), immed(a(1), 0x20), push(0), push(1), pop,
                         move(b(0), sram_transfer(0)), pop, move(b(1), sram_transfer(0)), pop,
                         move(b(2), sram_transfer(0)), kill()}));
  bench.run();
  CHECK(bench.reg(b(0)) == 0x20);
  CHECK(bench.reg(b(1)) == 0x10);
  CHECK(bench.reg(b(2)) == 0);
}

TEST_CASE("a locked address makes other read_locks wait for its unlock") {
  BenchChip bench;
  // Each thread adds one to a longword under its lock.
  const Reference lock{ReferenceUnit::kSram, 2, sram_transfer(0), a(0), value(0), 1};
  Reference unlock{ReferenceUnit::kSram, 3, sram_transfer(0), a(0), value(0), 1};
  const auto add =
      program({reference(lock), alu(sram_transfer(0), sram_transfer(0), Alu::kAdd, value(1)),
               reference(unlock), kill()});
  for (unsigned engine = 0; engine < 2; ++engine)
    bench.load(engine, add, 4);
  bench.run();
  CHECK(bench.chip.sram().storage().peek(0) == 8);
}

TEST_CASE("24 contenders for a lock, more than the lock-fail queue holds, all get it in the end") {
  BenchChip bench(shipped_chip("ixp1200"));
  const Reference lock{ReferenceUnit::kSram, 2, sram_transfer(0), a(0), value(0), 1};
  const Reference unlock{ReferenceUnit::kSram, 3, sram_transfer(0), a(0), value(0), 1};
  const auto add =
      program({reference(lock), alu(sram_transfer(0), sram_transfer(0), Alu::kAdd, value(1)),
               reference(unlock), kill()});
  for (unsigned engine = 0; engine < 6; ++engine)
    bench.load(engine, add, 4);
  bench.run();
  CHECK(bench.chip.sram().storage().peek(0) == 24);
}

TEST_CASE("failed locks take nothing of the unit's effective capacity: the unlock finds room") {
  BenchChip bench(chip_description("ixp1200", {"sram.effective_capacity=2"}));
  const Reference lock{ReferenceUnit::kSram, 2, sram_transfer(0), a(0), value(0), 1};
  const Reference unlock{ReferenceUnit::kSram, 3, sram_transfer(0), a(0), value(0), 1};
  const auto add =
      program({reference(lock), alu(sram_transfer(0), sram_transfer(0), Alu::kAdd, value(1)),
               reference(unlock), kill()});
  for (unsigned engine = 0; engine < 2; ++engine)
    bench.load(engine, add, 4);
  bench.run();
  CHECK(bench.chip.sram().storage().peek(0) == 8);
}

TEST_CASE("SDRAM moves FIFO data without transfer registers") {
  BenchChip bench;
  bench.load(0, program({immed(a(0), 0x100),
                         reference({ReferenceUnit::kSdram, 2, none, a(0), value(64), 8}),
                         reference({ReferenceUnit::kSdram, 3, none, a(0), value(0), 8}), kill()}));
  bench.run();
  CHECK(bench.chip.sdram().storage().peek(0x100) == 0xf1f00040);
  REQUIRE(bench.fbi.transmitted.size() == 16);
  CHECK(bench.fbi.transmitted[15] == 0xf1f0004f);
}

TEST_CASE("a reference out of memory or misaligned is a fault of its instruction") {
  for (const auto& [address, message] :
       std::vector<std::pair<unsigned, std::string>>{{2, "aligned"}, {0x1000, "outside"}}) {
    BenchChip bench;
    bench.load(
        0, program({immed(a(0), address),
                    reference({ReferenceUnit::kScratch, 0, sram_transfer(0), a(0), value(0), 1}),
                    kill()}));
    bench.run_until(1000);
    REQUIRE(bench.watch.fault());
    CHECK(bench.watch.fault()->kind == simulator::Fault::Kind::kIllegalReference);
    CHECK(bench.watch.fault()->pc == 1u);
    CHECK(bench.watch.fault()->message.find(message) != std::string::npos);
  }
}

namespace {

// Endless blocking SRAM reads of `count` longwords on all 24 threads.
isa::ProgramImage endless_reads(unsigned count) {
  return program({reference({ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(0), count}),
                  br(If::kAlways, 0)});
}

}  // namespace

TEST_CASE("burst reads on all threads keep the SRAM bus at least 99.5 % active") {
  BenchChip bench;
  for (unsigned engine = 0; engine < 6; ++engine)
    bench.load(engine, endless_reads(8), 4);
  bench.run_until(20'000);
  CHECK(static_cast<double>(bench.chip.sram().active_cycles(simulator::Cycle(20'000))) >=
        0.995 * 20'000);
}

TEST_CASE(
    "blocking reads on all threads stall the engines when the unit takes few, never when it takes "
    "many") {
  for (const bool small : {true, false}) {
    BenchChip bench(chip_description(
        "ixp1200", {small ? "sram.effective_capacity=4" : "sram.order_queue=24",
                    small ? "engine.command_fifo_entries=1" : "engine.command_fifo_entries=4"}));
    for (unsigned engine = 0; engine < 6; ++engine)
      bench.load(engine, endless_reads(1), 4);
    bench.run_until(20'000);
    Cycles stalled = 0;
    for (unsigned engine = 0; engine < 6; ++engine)
      stalled += bench.counters(engine).stalled;
    if (small)
      CHECK(stalled > 20'000);
    else
      CHECK(stalled == 0);
  }
}

TEST_CASE("a priority reference overtakes the order queue") {
  std::vector<Word> crowd;
  for (unsigned i = 0; i < 8; ++i)
    crowd.push_back(reference(
        {ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(0), 8, Completion::kSilent}));
  crowd.push_back(kill());
  const Reference plain{ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(0), 1};
  Reference urgent = plain;
  urgent.tokens = static_cast<unsigned>(isa::Token::kPriority);
  Cycles waits[2];
  for (const bool with_priority : {false, true}) {
    BenchChip chip;
    chip.load(0, program(crowd));
    std::vector<Word> words(20, nop());
    words.push_back(reference(with_priority ? urgent : plain));
    words.push_back(kill());
    chip.load(1, program(words));
    chip.run_until(1000);
    waits[with_priority ? 1 : 0] = chip.counters(1).threads[0].waiting[0];
  }
  CHECK(waits[1] + 64 < waits[0]);
}

}  // namespace nplab::test
