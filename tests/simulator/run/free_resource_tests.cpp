// Words and memories that cost nothing, for runs that ask what would be without a cost.
#include <catch2/catch.hpp>

#include "tests/simulator/bench/unit_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

isa::ProgramImage annotated(std::vector<Word> words, const std::vector<unsigned>& marks) {
  auto image = program(std::move(words));
  for (const unsigned pc : marks)
    image.annotations.push_back({pc, isa::Annotation::Kind::kConsoleHex, a(0), none});
  return image;
}

std::vector<Word> nops(unsigned count, std::vector<Word> then) {
  std::vector<Word> words(count, nop());
  words.insert(words.end(), then.begin(), then.end());
  return words;
}

std::vector<std::uint64_t> cycles_of(const BenchChip& bench) {
  std::vector<std::uint64_t> cycles;
  for (const auto& entry : bench.annotations.entries)
    cycles.push_back(entry.at.number());
  return cycles;
}

std::vector<std::uint64_t> sorted_cycles(
    const std::vector<std::pair<unsigned, std::uint64_t>>& completions) {
  std::vector<std::uint64_t> cycles;
  for (const auto& [thread, cycle] : completions)
    cycles.push_back(cycle);
  return cycles;
}

}  // namespace

TEST_CASE("words without cost are executed in the cycle of the first") {
  BenchChip bench;
  const auto image = annotated(nops(10, {kill()}), {0, 9});
  bench.load(0, image, 1, std::vector(11, WordCost::kNothing));
  bench.run();
  CHECK(cycles_of(bench) == std::vector<std::uint64_t>{3, 3});
  CHECK(bench.counters().executing == 0);
  CHECK(bench.counters().aborted == 0);
}

TEST_CASE("a cycle passes after 256 words without cost, so that loops of them end") {
  BenchChip bench;
  const auto image = annotated(nops(600, {kill()}), {255, 256, 599});
  bench.load(0, image, 1, std::vector(601, WordCost::kNothing));
  bench.run();
  CHECK(cycles_of(bench) == std::vector<std::uint64_t>{3, 4, 5});
}

TEST_CASE("taken branches and swaps without cost abort nothing") {
  BenchChip bench;
  bench.load(0, annotated({yield(), br(If::kAlways, 3), nop(), kill()}, {3}), 1,
             std::vector(4, WordCost::kNothing));
  bench.run();
  CHECK(cycles_of(bench) == std::vector<std::uint64_t>{3});
  CHECK(bench.counters().aborted == 0);
}

TEST_CASE("words set aside take their thread's time and leave the engine to the others") {
  BenchChip bench;
  // Thread 0: 20 words and a swap with its aborted slot, set aside: it goes on 22 cycles later.
  // Thread 1 has the engine at once.
  std::vector<Word> words{br_context(0, 3)};
  words.push_back(nop());
  words.push_back(kill());
  const auto aside = nops(20, {yield(), nop(), kill()});
  words.insert(words.end(), aside.begin(), aside.end());
  std::vector<WordCost> costs(words.size(), WordCost::kCycle);
  for (std::size_t word = 3; word < 3 + 21; ++word)
    costs[word] = WordCost::kAside;
  bench.load(0, annotated(words, {1, 24}), 2, costs);
  bench.run();
  REQUIRE(bench.annotations.entries.size() == 2);
  const auto begin = bench.annotations.entries[0].at;
  CHECK(bench.annotations.entries[0].thread.context == ContextId(1));
  // Thread 1 is there one cycle later, after its own branch.
  CHECK(bench.annotations.entries[1].at == begin + 21);
}

TEST_CASE("references to a memory whose bus is never held take as long as one alone") {
  const auto chip = chip_description("ixp1200");
  std::vector<Command> sram, sdram, scratch;
  for (unsigned thread = 0; thread < 4; ++thread) {
    sram.push_back(sram_read(thread));
    sdram.push_back(command(thread, isa::Operation::kSdramRead, isa::Unit::kSdram, 8 * thread, 2));
    scratch.push_back(
        command(thread, isa::Operation::kScratchRead, isa::Unit::kScratch, 4 * thread, 2));
  }
  const auto alone = [](const auto& completed) {
    return std::vector<std::uint64_t>(4, completed.front().second);
  };
  CHECK(sorted_cycles(completions<SramUnit>(chip.sram, sram, Bus::kNeverHeld)) ==
        alone(completions<SramUnit>(chip.sram, {sram[0]})));
  CHECK(sorted_cycles(completions<SdramUnit>(chip.sdram, sdram, Bus::kNeverHeld)) ==
        alone(completions<SdramUnit>(chip.sdram, {sdram[0]})));
  CHECK(sorted_cycles(completions<ScratchUnit>(chip.scratch, scratch, Bus::kNeverHeld)) ==
        alone(completions<ScratchUnit>(chip.scratch, {scratch[0]})));
}

TEST_CASE("a reference that holds no bus delays no other") {
  const auto chip = chip_description("ixp1200");
  std::vector<Command> commands;
  for (unsigned thread = 0; thread < 5; ++thread)
    commands.push_back(sram_read(thread));
  for (const unsigned aside : {1u, 3u})
    commands[aside].holds_bus = false;
  const auto mixed = completions<SramUnit>(chip.sram, commands);
  const auto without = completions<SramUnit>(chip.sram, {commands[0], commands[2], commands[4]});
  std::vector<std::pair<unsigned, std::uint64_t>> holding;
  for (const auto& [thread, cycle] : mixed)
    if (thread % 2 == 0)
      holding.emplace_back(thread, cycle);
  CHECK(holding == without);
}

}  // namespace nplab::test
