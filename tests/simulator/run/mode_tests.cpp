// Lockstep, windows and any mixture of both are the same machine: same state, same counts, same
// end.
#include <catch2/catch.hpp>

#include <memory>
#include <random>
#include <type_traits>
#include <utility>

#include "tests/simulator/bench/asking_program.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/mixed_load.h"
#include "tests/simulator/bench/mode_comparison.h"
#include "tests/simulator/bench/racing_program.h"
#include "tests/simulator/bench/racing_run.h"
#include "tests/simulator/bench/random_ddr4.h"
#include "tests/simulator/bench/random_program.h"
#include "tests/simulator/bench/words.h"

namespace nplab::test {
namespace {

using namespace simulator;

// Threads that end, on memory that all share.
PreparedRun sharing_run(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  PreparedRun run;
  run.inputs.chip = racing_chip(random);
  for (unsigned engine = 0; engine < 4; ++engine) {
    RandomProgramOptions options;
    options.seed = random();
    options.engine = engine;
    options.contexts = 1 + static_cast<unsigned>(random() % 4);
    options.words_a_context = 20 + static_cast<unsigned>(random() % 100);
    options.shared_memory = true;
    LoadedProgram program{random_program(options), {}};
    for (unsigned context = 0; context < options.contexts; ++context)
      program.contexts.emplace_back(context);
    run.inputs.engines.emplace_back(std::move(program));
  }
  run.inputs.stop.at = Cycle(20'000);
  return run;
}

// The racing programs on a chip whose four places of arbitration have policies of their own.
PreparedRun arbitrated_run(std::uint64_t seed) {
  PreparedRun run = racing_run(seed, 3'000);
  ChipDescription& chip = run.inputs.chip;
  const auto choose = [](std::uint64_t number, auto& arbitration) {
    using Choice = std::remove_reference_t<decltype(arbitration)>;
    arbitration = static_cast<Choice>(number % choice_words(Choice{}).size());
  };
  choose(seed, chip.sram.arbitration);
  choose(seed / 3, chip.sdram.arbitration);
  choose(seed / 9, chip.command_bus.arbitration);
  choose(seed / 27, chip.engine.arbitration);
  return run;
}

// Two engines whose only threads end: one fills its command FIFO and stalls on it first, the other
// passes `words` words.
PreparedRun ending_run(unsigned words) {
  const Word write = reference({.unit = ReferenceUnit::kSram,
                                .command = 1,
                                .transfer = sram_transfer(0),
                                .completion = Completion::kSilent});
  std::vector<Word> stalling(6, write), passing(words, nop());
  stalling.push_back(kill());
  passing.push_back(kill());
  PreparedRun run;
  run.inputs.chip = chip_description("ixp1200");
  run.inputs.engines.emplace_back(LoadedProgram{program(stalling), {ContextId(0)}});
  run.inputs.engines.emplace_back(LoadedProgram{program(passing), {ContextId(0)}});
  run.inputs.stop.at = Cycle(1'000);
  return run;
}

SetMode in_changing_modes(std::uint64_t seed, std::uint64_t cycles) {
  std::mt19937_64 random(seed);
  std::vector<ModeChange> changes;
  for (std::uint64_t at = random() % 50; at < cycles; at += 1 + random() % (cycles / 10))
    changes.push_back({Cycle(at), changes.size() % 2 == 0 ? Mode::kLockstep : Mode::kWindows});
  return [changes](SimulationInputs& inputs) { inputs.mode_changes = changes; };
}

void compare_racing(std::uint64_t first, std::uint64_t last, std::uint64_t cycles) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    INFO("seed " << seed);
    const MakeRun make = [&] { return racing_run(seed, cycles); };
    REQUIRE(difference(make, in_lockstep, in_windows) == "");
    REQUIRE(difference(make, in_lockstep, in_changing_modes(seed, cycles)) == "");
  }
}

void compare_waiting(std::uint64_t first, std::uint64_t last, std::uint64_t cycles) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    INFO("seed " << seed);
    const MakeRun make = [&] { return waiting_run(seed, cycles); };
    REQUIRE(difference(make, in_lockstep, in_windows) == "");
    REQUIRE(difference(make, in_lockstep, in_changing_modes(seed, cycles)) == "");
  }
}

void compare_with_spread_latencies(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    INFO("seed " << seed);
    const auto spread = [seed](PreparedRun run) {
      run.inputs.chip.latency_spread = {static_cast<unsigned>(1 + seed % 80), seed};
      return run;
    };
    const MakeRun racing = [&] { return spread(racing_run(seed, 3'000)); };
    REQUIRE(difference(racing, in_lockstep, in_windows) == "");
    REQUIRE(difference(racing, in_lockstep, in_changing_modes(seed, 3'000)) == "");
    const MakeRun sharing = [&] { return spread(sharing_run(seed)); };
    REQUIRE(difference(sharing, in_lockstep, in_windows) == "");
  }
}

// Caches of all kinds before some of the memories, small enough that lines come and go.
void add_caches(ChipDescription& chip, std::uint64_t seed) {
  std::mt19937_64 random(seed + 77);
  const auto between = [&random](unsigned least, unsigned most) {
    return static_cast<unsigned>(least + random() % (most - least + 1));
  };
  const auto choose = [&between](auto& choice) {
    using Choice = std::remove_reference_t<decltype(choice)>;
    choice =
        static_cast<Choice>(between(0, static_cast<unsigned>(choice_words(Choice{}).size()) - 1));
  };
  for (auto* cached : {&chip.sram.cache, &chip.sdram.cache, &chip.scratch.cache}) {
    if (between(0, 3) == 0)
      continue;
    CacheDescription& cache = cached->emplace();
    choose(cache.sharing);
    choose(cache.replacement);
    choose(cache.write);
    cache.ways = 1u << between(0, 2);
    cache.lines = cache.ways << between(0, 4);
    cache.line_bytes = 8u << between(0, 3);
    cache.seed = seed;
    cache.write_allocate = between(0, 2) != 0;
    cache.read_ports = between(1, 2);
    cache.write_ports = between(1, 2);
    cache.read_latency = between(1, 6);
    cache.write_latency = between(1, 6);
    cache.queue = between(1, 16);
    cache.misses = between(1, 4);
    cache.miss_latency = between(1, 4);
    cache.bus_cycles = between(1, 8);
    cache.bus_latency = between(1, 12);
    cache.intervention_latency = between(1, 20);
  }
}

void compare_with_caches(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    INFO("seed " << seed);
    const auto cached = [seed](PreparedRun run) {
      add_caches(run.inputs.chip, seed);
      if (seed % 4 == 3)
        run.inputs.chip.latency_spread = {static_cast<unsigned>(1 + seed % 80), seed};
      return run;
    };
    const MakeRun racing = [&] { return cached(racing_run(seed, 3'000)); };
    REQUIRE(difference(racing, in_lockstep, in_windows) == "");
    REQUIRE(difference(racing, in_lockstep, in_changing_modes(seed, 3'000)) == "");
    const MakeRun sharing = [&] { return cached(sharing_run(seed)); };
    REQUIRE(difference(sharing, in_lockstep, in_windows) == "");
  }
}

// The commands to the memory obey its rules, too.
void compare_with_ddr4(std::uint64_t first, std::uint64_t last) {
  std::size_t commands = 0;
  for (std::uint64_t seed = first; seed < last; ++seed) {
    INFO("seed " << seed);
    const auto with_ddr4 = [seed](PreparedRun run) {
      std::mt19937_64 random(seed + 77);
      make_ddr4(random, run.inputs.chip.sdram);
      if (seed % 3 == 2)
        add_caches(run.inputs.chip, seed);
      if (seed % 4 == 3)
        run.inputs.chip.latency_spread = {static_cast<unsigned>(1 + seed % 80), seed};
      return run;
    };
    const MakeRun racing = [&] { return with_ddr4(racing_run(seed, 3'000)); };
    REQUIRE(difference(racing, in_lockstep, in_windows) == "");
    REQUIRE(difference(racing, in_lockstep, in_changing_modes(seed, 3'000)) == "");
    const MakeRun sharing = [&] { return with_ddr4(sharing_run(seed)); };
    REQUIRE(difference(sharing, in_lockstep, in_windows) == "");
    PreparedRun traced = racing();
    dram::RecordedTrace trace;
    traced.inputs.dram_commands = &trace;
    (void)simulate(traced.inputs, Kernel::kNone);
    commands += trace.commands.size();
    REQUIRE(first_violation(traced.inputs.chip.sdram, trace.commands) == "");
  }
  CHECK(commands > 10 * (last - first));
}

// Some engines ask a match unit, the others race.
PreparedRun asking_run(std::uint64_t seed, std::uint64_t cycles) {
  PreparedRun run = racing_run(seed, cycles);
  add_match_unit(seed, run.inputs);
  for (unsigned engine = 0; engine < run.inputs.engines.size(); engine += 2) {
    LoadedProgram program{asking_program(seed + engine, engine), {}};
    for (unsigned context = 0; context < 4; ++context)
      program.contexts.emplace_back(context);
    run.inputs.engines[engine] = std::move(program);
  }
  run.inputs.watchdog = 3'000;
  return run;
}

void compare_asking(std::uint64_t first, std::uint64_t last, std::uint64_t cycles) {
  std::uint64_t lookups = 0, reads_that_waited = 0, posts_that_waited = 0;
  for (std::uint64_t seed = first; seed < last; ++seed) {
    INFO("seed " << seed);
    const MakeRun make = [&] { return asking_run(seed, cycles); };
    REQUIRE(difference(make, in_lockstep, in_windows) == "");
    REQUIRE(difference(make, in_lockstep, in_changing_modes(seed, cycles)) == "");
    const SimulationResult result = simulate(make().inputs, Kernel::kNone);
    REQUIRE(result.match);
    CHECK(result.match->inexact_rules == 0);
    lookups += result.match->counters.answered;
    reads_that_waited += result.match->counters.reads_that_waited;
    posts_that_waited += result.match->counters.posts_that_waited;
  }
  // Every way in which the unit makes threads wait was taken.
  CHECK(lookups > 20 * (last - first));
  CHECK(reads_that_waited > last - first);
  CHECK(posts_that_waited > last - first);
}

void compare_sharing(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    INFO("seed " << seed);
    const MakeRun make = [&] { return sharing_run(seed); };
    REQUIRE(difference(make, in_lockstep, in_windows) == "");
  }
}

}  // namespace

TEST_CASE("racing programs leave the same in lockstep, in windows and in changing modes") {
  compare_racing(0, 100, 3'000);
}

TEST_CASE(
    "programs that ask a match unit leave the same in lockstep, in windows and in changing modes") {
  compare_asking(0, 40, 3'000);
}

TEST_CASE(
    "every combination of arbitration policies leaves the same in lockstep, in windows and in "
    "changing modes") {
  for (std::uint64_t seed = 0; seed < 81; ++seed) {
    INFO("seed " << seed);
    const MakeRun make = [seed] { return arbitrated_run(seed); };
    REQUIRE(difference(make, in_lockstep, in_windows) == "");
    REQUIRE(difference(make, in_lockstep, in_changing_modes(seed, 3'000)) == "");
  }
}

TEST_CASE(
    "racing programs that wait for all that arrives leave the same in lockstep, in windows and in "
    "changing modes") {
  compare_waiting(0, 100, 3'000);
}

TEST_CASE(
    "2,000 racing programs that wait for all that arrives leave the same in lockstep, in windows "
    "and in changing modes",
    "[.full]") {
  compare_waiting(1000, 3000, 6'000);
}

TEST_CASE(
    "an engine goes on beyond its window up to the limit of engines while words need no facts") {
  const auto engine_after_window = [](Cycle limit_of_engines) {
    BenchChip bench(chip_description("ixp1200"));
    bench.load(0, program(std::vector<Word>(100, nop())), 1);
    bench.chip.parts().announce_programs();
    bench.chip.advance({Cycle(100), limit_of_engines});
    REQUIRE(bench.chip.now() < Cycle(20));
    return std::pair(bench.chip.now(), bench.chip.engine(EngineId(0)).now());
  };
  const auto [window_end, bounded] = engine_after_window(Cycle());
  CHECK(bounded == window_end);
  CHECK(engine_after_window(Cycle(25)).second == Cycle(25));
  CHECK(engine_after_window(Cycle(100)).second == Cycle(kReach));
}

TEST_CASE("2,000 racing programs leave the same in lockstep, in windows and in changing modes",
          "[.full]") {
  compare_racing(1000, 3000, 6'000);
}

TEST_CASE("programs that end and share memory leave the same in lockstep and in windows") {
  compare_sharing(0, 60);
}

TEST_CASE("2,000 programs that end and share memory leave the same in lockstep and in windows",
          "[.full]") {
  compare_sharing(1000, 3000);
}

TEST_CASE(
    "latencies drawn for each reference are the same in lockstep, in windows and in changing "
    "modes") {
  compare_with_spread_latencies(0, 60);
}

TEST_CASE(
    "2,000 runs with drawn latencies are the same in lockstep, in windows and in changing modes",
    "[.full]") {
  compare_with_spread_latencies(1000, 3000);
}

TEST_CASE("chips with caches leave the same in lockstep, in windows and in changing modes") {
  compare_with_caches(0, 60);
}

TEST_CASE("2,000 chips with caches leave the same in lockstep, in windows and in changing modes",
          "[.full]") {
  compare_with_caches(1000, 3000);
}

TEST_CASE("chips with DDR4 leave the same in lockstep, in windows and in changing modes") {
  compare_with_ddr4(0, 60);
}

TEST_CASE("2,000 chips with DDR4 leave the same in lockstep, in windows and in changing modes",
          "[.full]") {
  compare_with_ddr4(1000, 3000);
}

TEST_CASE("a run ends with its last thread, whichever engine lacked a fact in that window") {
  for (unsigned words = 1; words <= 60; ++words) {
    INFO(words << " words");
    REQUIRE(difference([&] { return ending_run(words); }, in_lockstep, in_windows) == "");
  }
}

TEST_CASE("racing programs use every unit, stall, fault and receive") {
  MemoryCounters sram, sdram, scratch;
  Cycles stalled = 0;
  std::uint64_t received = 0, faults = 0, violations = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const PreparedRun run = racing_run(seed, 3'000);
    const SimulationResult result = simulate(run.inputs, Kernel::kNone);
    sram.references += result.sram.references;
    sdram.references += result.sdram.references;
    scratch.references += result.scratch.references;
    for (const EngineCounters& engine : result.engines)
      stalled += engine.stalled;
    received += result.frames.received;
    faults += result.fault ? 1 : 0;
    violations += result.violation_count;
  }
  CAPTURE(sram.references, sdram.references, scratch.references, stalled, received, faults,
          violations);
  CHECK(sram.references > 1000);
  CHECK(sdram.references > 1000);
  CHECK(scratch.references > 1000);
  CHECK(stalled > 1000);
  CHECK(received > 20);
  CHECK(faults > 5);
  CHECK(violations > 20);
}

TEST_CASE("a comparison names the first cycle and the part that differ") {
  const MakeRun make = [] {
    PreparedRun run;
    run.inputs = mixed_load(chip_description("ixp1200"));
    run.inputs.stop.at = Cycle(2'000);
    return run;
  };
  const SetMode differs = [](SimulationInputs& inputs) {
    inputs.memory.push_back({isa::MemorySpace::kScratch, 0x200, 1});
  };
  CHECK(difference(make, in_windows, in_windows) == "");
  CHECK(difference(make, in_windows, differs) ==
        "the first difference is after cycle 0, in scratch");
}

}  // namespace nplab::test
