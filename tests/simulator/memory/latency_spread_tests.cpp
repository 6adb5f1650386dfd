// Latencies drawn for each reference: a chip's `latency_spread`.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "tests/simulator/bench/unit_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

ChipDescription spread_chip(unsigned most, std::uint64_t seed) {
  ChipDescription chip = chip_description("ixp1200");
  chip.latency_spread = {most, seed};
  return chip;
}

Word read(unsigned transfer, Completion completion) {
  return reference(
      {ReferenceUnit::kSram, 0, sram_transfer(transfer), value(0), value(0), 1, completion});
}
Word write(unsigned transfer, Completion completion) {
  return reference(
      {ReferenceUnit::kSram, 1, sram_transfer(transfer), value(0), value(0), 1, completion});
}

// Cycles that each of `count` blocking reads, one behind the other, keeps its thread waiting.
std::vector<Cycles> waits(const ChipDescription& chip, unsigned count) {
  std::vector<Word> words(count, read(0, Completion::kSwap));
  words.push_back(kill());
  BenchChip bench(chip);
  bench.load(0, program(words));
  bench.run();
  std::vector<Cycles> waiting;
  for (unsigned i = 0; i != count; ++i)
    waiting.push_back(bench.counters().words[i].waiting);
  return waiting;
}

TEST_CASE("each reference has a latency of its own, up to `most` cycles above the unit's") {
  constexpr unsigned kMost = 40, kReads = 200;
  const std::vector<Cycles> plain = waits(chip_description("ixp1200"), kReads);
  const std::vector<Cycles> spread = waits(spread_chip(kMost, 1), kReads);
  const auto [least, most] = std::minmax_element(spread.begin(), spread.end());
  const auto [plain_least, plain_most] = std::minmax_element(plain.begin(), plain.end());
  CHECK(*least >= *plain_least);
  CHECK(*least <= *plain_most + 2);
  CHECK(*most >= *plain_least + kMost - 2);
  CHECK(*most <= *plain_most + kMost);
  CHECK(std::set<Cycles>(spread.begin(), spread.end()).size() > kMost / 2);
}

TEST_CASE("a seed gives one schedule, another seed another") {
  CHECK(waits(spread_chip(40, 7), 50) == waits(spread_chip(40, 7), 50));
  CHECK(waits(spread_chip(40, 7), 50) != waits(spread_chip(40, 8), 50));
}

TEST_CASE("what a thread sends one queue keeps its order, whatever is drawn") {
  for (std::uint64_t seed = 0; seed != 100; ++seed) {
    INFO("seed " << seed);
    std::vector<Word> words{
        immed(sram_transfer(0), 1),    immed(sram_transfer(1), 2),   write(0, Completion::kSilent),
        write(1, Completion::kSilent), read(0, Completion::kSilent), read(1, Completion::kSwap),
        move(a(1), sram_transfer(0)),  move(a(2), sram_transfer(1)), kill()};
    BenchChip bench(spread_chip(90, seed));
    bench.load(0, program(words));
    bench.run();
    CHECK(bench.reg(a(1)) == 2);  // has come by the later read's event
    CHECK(bench.reg(a(2)) == 2);
  }
}

// Whether memory gets 1 although the register is 2 `nops` cycles behind the write's issue.
bool write_was_in_time(const ChipDescription& chip, unsigned nops) {
  std::vector<Word> words{immed(sram_transfer(0), 1), write(0, Completion::kSignal)};
  words.insert(words.end(), nops, nop());
  words.insert(words.end(), {immed(sram_transfer(0), 2), ctx_arb(isa::Event::kSram),
                             read(0, Completion::kSwap), move(a(1), sram_transfer(0)), kill()});
  BenchChip bench(chip);
  bench.load(0, program(words));
  bench.run();
  return bench.reg(a(1)) == 1;
}

TEST_CASE(
    "a write-transfer register that changes before its reference is done is found by some "
    "schedule") {
  constexpr unsigned kLongEnough = 30;  // of the shipped chip
  CHECK(write_was_in_time(chip_description("ixp1200"), kLongEnough));
  unsigned wrong = 0;
  for (std::uint64_t seed = 0; seed != 50; ++seed)
    wrong += !write_was_in_time(spread_chip(60, seed), kLongEnough);
  CHECK(wrong > 5);
  CHECK(wrong < 45);
}

// Whether a read's data is there `nops` cycles behind its issue, before its event is waited for.
bool read_was_in_time(const ChipDescription& chip, unsigned nops) {
  std::vector<Word> words{immed(sram_transfer(1), 5), write(1, Completion::kSwap),
                          read(0, Completion::kSignal)};
  words.insert(words.end(), nops, nop());
  words.insert(words.end(), {move(a(1), sram_transfer(0)), ctx_arb(isa::Event::kSram), kill()});
  BenchChip bench(chip);
  bench.load(0, program(words));
  bench.run();
  return bench.reg(a(1)) == 5;
}

TEST_CASE("a read that is used before its signal is found by some schedule") {
  constexpr unsigned kLongEnough = 40;
  CHECK(read_was_in_time(chip_description("ixp1200"), kLongEnough));
  unsigned wrong = 0;
  for (std::uint64_t seed = 0; seed != 50; ++seed)
    wrong += !read_was_in_time(spread_chip(60, seed), kLongEnough);
  CHECK(wrong > 5);
  CHECK(wrong < 45);
}

TEST_CASE("a chip file says how far latencies spread, or leaves it out") {
  CHECK_FALSE(chip_description("ixp1200").latency_spread);
  const ChipDescription chip =
      chip_description("ixp1200", {"latency_spread={max_delay: 20, seed: 3}"});
  REQUIRE(chip.latency_spread);
  CHECK(chip.latency_spread->max_delay == 20);
  CHECK(chip.latency_spread->seed == 3);
}

}  // namespace
}  // namespace nplab::test
