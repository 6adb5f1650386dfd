// Every kind of reference: its unloaded latency, and how many of them its unit takes when it is
// never without one. Both follow from the chip's figures.
#include <catch2/catch.hpp>

#include <numeric>

#include "simulator/run/simulation.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/operation_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

constexpr Word swapping(Word word) {
  return word | static_cast<unsigned>(Completion::kSwap);
}

SimulationInputs inputs_of(const ChipDescription& chip, const std::vector<Word>& words) {
  SimulationInputs inputs;
  inputs.chip = chip;
  inputs.engines.push_back(LoadedProgram{program(words), {ContextId(0)}});
  return inputs;
}

SimulationResult run(const SimulationInputs& inputs) {
  SimulationResult result = simulate(inputs, Kernel::kNone);
  INFO((result.fault ? result.fault->message : std::string()));
  REQUIRE_FALSE(result.fault);
  return result;
}

// From the cycle of the instruction in P3 to the event. `delay`: cycles before it.
Cycles latency_of(const ChipDescription& chip, const OperationCase& operation, unsigned delay) {
  std::vector<Word> words(delay, nop());
  words.push_back(swapping(operation.word));
  words.push_back(kill());
  const SimulationResult result = run(inputs_of(chip, words));
  // The thread waits from behind the swap's shadow to the cycle behind the event.
  return result.engines[0].words[delay].waiting + chip.engine.pipeline.swap_aborts;
}

Cycles expected_latency(const ChipDescription& chip, const OperationCase& operation,
                        unsigned delay) {
  const Cycles issue = chip.engine.pipeline.start_cycles + delay;
  const Cycles arrival = issue + 1 + chip.command_bus.latency;
  const Cycles begun =
      (arrival + operation.pipeline + operation.clock - 1) / operation.clock * operation.clock;
  return begun + operation.first_occupancy + operation.completion - issue;
}

// References that the engines have sent before `end` when they send nothing else.
std::uint64_t references_sent(const ChipDescription& chip, const std::vector<Word>& sent,
                              Cycles end) {
  constexpr unsigned kTimes = 16;
  std::vector<Word> words{immed(a(1), 0x100), immed(a(2), 512)};
  for (unsigned i = 0; i < kTimes; ++i)
    words.insert(words.end(), sent.begin(), sent.end());
  words.push_back(br(If::kAlways, 2));
  SimulationInputs inputs = inputs_of(chip, words);
  inputs.engines.assign(chip.engine.engines, inputs.engines[0]);
  inputs.stop.at = Cycle(end);
  inputs.watchdog = 0;
  const SimulationResult result = run(inputs);
  std::uint64_t references = 0;
  for (const EngineCounters& engine : result.engines)
    for (std::size_t i = 2; i + 2 < engine.words.size(); ++i)
      references += engine.words[i].executing;
  return references;
}

// Cycles a reference once all queues are full.
double cycles_a_reference(const ChipDescription& chip, const std::vector<Word>& sent) {
  constexpr Cycles kFull = 5'000, kCounted = 30'000;
  const std::uint64_t counted =
      references_sent(chip, sent, kFull + kCounted) - references_sent(chip, sent, kFull);
  return static_cast<double>(kCounted) / static_cast<double>(counted);
}

constexpr double kTolerance = 0.005;

}  // namespace

TEST_CASE("every reference takes its unloaded latency, in either half of its unit's clock") {
  const ChipDescription chip = chip_description("ixp1200");
  for (const OperationCase& operation : all_operations(chip)) {
    for (const unsigned delay : {0u, 1u, 2u}) {
      INFO(operation.name << " after " << delay << " instructions");
      CHECK(latency_of(chip, operation, delay) == expected_latency(chip, operation, delay));
    }
  }
}

TEST_CASE("unloaded latencies follow the chip's figures, not others") {
  const ChipDescription chip = chip_description(
      "ixp1200",
      {"command_bus.latency=5",      "sram.pipeline_latency=8",   "sram.push_latency=9",
       "sram.write_completion=3",    "sram.turn_around=4",        "sdram.pipeline_latency=22",
       "sdram.push_latency=7",       "sdram.write_completion=13", "sdram.turn_around=6",
       "scratch.pipeline_latency=7", "scratch.push_latency=2",    "scratch.write_completion=11",
       "scratch.modify_cycles=3",    "fbi.command_latency=6",     "fbi.csr_read_latency=9",
       "fbi.csr_write_latency=2",    "fbi.fifo_latency=7",        "fbi.hash_cycles=5",
       "fbi.hash_latency=3",         "sram.bus_bytes=8",          "sdram.bus_bytes=32",
       "scratch.bus_bytes=16"});
  for (const OperationCase& operation : all_operations(chip)) {
    INFO(operation.name);
    CHECK(latency_of(chip, operation, 0) == expected_latency(chip, operation, 0));
  }
}

TEST_CASE("the latencies of single units of access, in numbers") {
  const ChipDescription chip = chip_description("ixp1200");
  const auto latency = [&](const char* name) -> Cycles {
    for (const OperationCase& operation : all_operations(chip))
      if (operation.name == name)
        return latency_of(chip, operation, 0);
    FAIL("no operation " << name);
    return 0;
  };
  CHECK(latency("sram[read, 1]") == 17);
  CHECK(latency("sram[write, 1]") == 17);
  CHECK(latency("sram[pop]") == 17);
  CHECK(latency("sram[unlock]") == 15);
  CHECK(latency("sdram[read, 1]") == 34);
  CHECK(latency("sdram[write, 4]") == 32);
  CHECK(latency("scratch[read, 1]") == 12);
  CHECK(latency("scratch[write, 1]") == 15);
  CHECK(latency("scratch[incr]") == 13);
  CHECK(latency("csr[read]") == 12);
  CHECK(latency("hash1_48") == 23);
}

namespace {

// Each kind of reference, one behind another for ever, takes as long as its unit's bus does.
void check_bus_bounds(const ChipDescription& chip) {
  for (const OperationCase& operation : all_operations(chip)) {
    INFO(operation.name);
    const double bound = std::max(operation.occupancy, operation.clock);
    const double taken = cycles_a_reference(chip, {operation.word});
    CHECK(taken >= bound * (1 - kTolerance));
    CHECK(taken <= bound * (1 + kTolerance));
  }
}

}  // namespace

TEST_CASE(
    "a unit that is never without work takes each kind of reference at the bound of its bus") {
  const ChipDescription chip = chip_description("ixp1200");
  check_bus_bounds(chip);
}

TEST_CASE("wider and slower buses have their own bounds") {
  const ChipDescription chip = chip_description(
      "ixp1200", {"sram.bus_bytes=16", "sram.bus_cycles=3", "sdram.bus_bytes=16",
                  "sdram.bus_cycles=4", "scratch.bus_bytes=8", "scratch.bus_cycles=2"});
  check_bus_bounds(chip);
}

TEST_CASE("patterns that mix references are bound by what lies between them") {
  const ChipDescription chip = chip_description("ixp1200");
  const auto reads = [](ReferenceUnit unit, unsigned command, Code base, unsigned count,
                        unsigned tokens) {
    Reference r{unit,
                command,
                unit == ReferenceUnit::kSdram ? sdram_transfer(0) : sram_transfer(0),
                base,
                value(0),
                count,
                Completion::kSilent};
    r.tokens = tokens;
    return reference(r);
  };
  constexpr auto optimize = static_cast<unsigned>(isa::Token::kOptimizeMem);
  struct Pattern {
    const char* name;
    std::vector<Word> words;
    double cycles;  // of the whole pattern
  };
  for (const Pattern& pattern : std::vector<Pattern>{
           {"SRAM read and write in turn: the bus turns twice",
            {reads(ReferenceUnit::kSram, 0, a(0), 4, 0),
             reads(ReferenceUnit::kSram, 1, a(0), 4, 0)},
            2 * (2 + 8)},
           {"SDRAM, banks in turn, one quadword: tRC of each bank",
            {reads(ReferenceUnit::kSdram, 0, a(0), 1, 0),
             reads(ReferenceUnit::kSdram, 0, a(2), 1, 0)},
            12},
           {"SDRAM, banks in turn, four quadwords: data without a gap",
            {reads(ReferenceUnit::kSdram, 0, a(0), 4, 0),
             reads(ReferenceUnit::kSdram, 0, a(2), 4, 0)},
            2 * 8},
           {"SDRAM, sorted by bank: the same",
            {reads(ReferenceUnit::kSdram, 0, a(0), 4, optimize),
             reads(ReferenceUnit::kSdram, 0, a(2), 4, optimize)},
            2 * 8},
           {"SDRAM read and write of opposite banks: data and turns",
            {reads(ReferenceUnit::kSdram, 0, a(0), 4, 0),
             reads(ReferenceUnit::kSdram, 1, a(2), 4, 0)},
            2 * (2 + 8)},
       }) {
    INFO(pattern.name);
    // References of other engines come in between, so the pattern is one engine's.
    ChipDescription alone = chip;
    alone.engine.engines = 1;
    const double taken =
        cycles_a_reference(alone, pattern.words) * static_cast<double>(pattern.words.size());
    CHECK(taken >= pattern.cycles * (1 - kTolerance));
    CHECK(taken <= pattern.cycles * (1 + kTolerance));
  }
}

TEST_CASE(
    "a lock and its unlock, of one address an engine, take their two accesses and two turns") {
  const ChipDescription chip = chip_description("ixp1200");
  ChipDescription alone = chip;
  alone.engine.engines = 1;
  const Word lock = reference(
      {ReferenceUnit::kSram, 2, sram_transfer(0), a(0), value(0), 2, Completion::kSilent});
  const Word unlock = reference(
      {ReferenceUnit::kSram, 3, sram_transfer(0), a(0), value(0), 2, Completion::kSilent});
  const double taken = 2 * cycles_a_reference(alone, {lock, unlock});
  CHECK(taken >= 2 * (2 + 4) * (1 - kTolerance));
  CHECK(taken <= 2 * (2 + 4) * (1 + kTolerance));
}

TEST_CASE("refresh takes its share of a saturated SDRAM") {
  const ChipDescription chip =
      chip_description("ixp1200", {"sdram.refresh_period=200", "sdram.refresh_cycles=12"});
  const OperationCase operation =
      sdram_operations(chip)[6];  // sdram[read, 4]: 16 cycles in one bank
  REQUIRE(operation.name == "sdram[read, 4]");
  // A refresh begins when its time has come and the bank is closed, 12 cycles behind an access's
  // begin; the first access behind it begins 12 + tRCD = 16 cycles later, the others 16 apart. From
  // a refresh that was not delayed: 12 accesses until 192, the next would begin in 208, so the
  // refresh due in 200 begins in 204; 12 more until 396, the one due in 400 begins in 408; 11 more
  // until 584, and the next refresh begins in 600 without delay.
  const double bound = 600.0 / (12 + 12 + 11);
  const double taken = cycles_a_reference(chip, {operation.word});
  CHECK(taken >= bound * (1 - kTolerance));
  CHECK(taken <= bound * (1 + kTolerance));
}

TEST_CASE("commands of all engines pass the command bus one per cycle") {
  const ChipDescription chip =
      chip_description("ixp1200", {"scratch.modify_cycles=0", "command_bus.latency=1"});
  const OperationCase incr = scratch_operations(chip)[16];
  REQUIRE(incr.name == "scratch[incr]");
  CHECK(cycles_a_reference(chip, {incr.word}) == Approx(1).epsilon(kTolerance));
  const ChipDescription slow =
      chip_description("ixp1200", {"scratch.modify_cycles=0", "command_bus.cycles_per_command=3"});
  CHECK(cycles_a_reference(slow, {incr.word}) == Approx(3).epsilon(kTolerance));
}

}  // namespace nplab::test
