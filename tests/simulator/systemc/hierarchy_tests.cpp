// The SystemC chip.
#include <algorithm>

#include <catch2/catch.hpp>

#include "simulator/run/simulation.h"
#include "simulator/systemc/simulate.h"
#include "tests/simulator/bench/asking_program.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/mixed_load.h"
#include "tests/simulator/bench/racing_run.h"

namespace nplab::test {

using namespace simulator;

TEST_CASE("the chip's modules are found by their names, and the kernel changes nothing in a run") {
  SimulationInputs inputs = mixed_load(chip_description("ixp1200"));
  inputs.stop.at = Cycle(100'001);
  const SimulationResult plain = simulate(inputs, Kernel::kNone);
  std::vector<std::string> names;
  inputs.inspect = [&](const ChipParts&) { names = platform_hierarchy(); };
  const SimulationResult kernel = simulate(inputs, Kernel::kSystemC);
  CHECK(kernel.state_hash == plain.state_hash);
  CHECK(kernel.cycles == plain.cycles);
  for (const char* name : {"chip",
                           "chip.engine0",
                           "chip.engine5",
                           "chip.engine3.commands",
                           "chip.engine3.threads",
                           "chip.engine3.input_states",
                           "chip.engine3.monitor",
                           "chip.fbi.input_states",
                           "chip.fbi.media",
                           "chip.fbi.processor",
                           "chip.command_bus",
                           "chip.command_bus.sdram",
                           "chip.transfer_bus",
                           "chip.sram",
                           "chip.sram.queue",
                           "chip.sdram",
                           "chip.sdram.fifos",
                           "chip.scratch",
                           "chip.scratch.processor",
                           "chip.fbi",
                           "chip.media",
                           "chip.media.device",
                           "chip.media.port0",
                           "chip.media.port7"}) {
    INFO(name);
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
  }
}

// Each box of the drawing in docs/match-engine.md.
TEST_CASE("the match unit's modules and ports are found by their names, and are joined") {
  SimulationInputs inputs = mixed_load(chip_description("ixp1200"));
  add_match_unit(1, inputs);
  inputs.chip.match->channels = 2;
  inputs.stop.at = Cycle(2'000);
  const SimulationResult plain = simulate(inputs, Kernel::kNone);
  std::vector<std::string> names;
  inputs.inspect = [&](const ChipParts&) { names = platform_hierarchy(); };
  const SimulationResult kernel = simulate(inputs, Kernel::kSystemC);
  CHECK(kernel.state_hash == plain.state_hash);
  for (const char* name :
       {"chip.match", "chip.match.device", "chip.match.input_handler",
        "chip.match.input_handler.tag_to_hash", "chip.match.hash.tag_from_input_handler",
        "chip.match.cache", "chip.match.load_queue.line_or_miss_from_cache",
        "chip.match.load_queue.read_to_memory", "chip.match.load_queue.read_to_memory1",
        "chip.match.memory.read_from_load_queue1", "chip.match.store_queue.write_to_memory",
        "chip.match.action_pipeline.free_tag_to_input_handler"}) {
    INFO(name);
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
  }
}

// Seeds draw the programs, the packets, and the chip's figures.
TEST_CASE("the chip runs racing programs to the same state with and without the SystemC kernel") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    INFO("seed " << seed);
    const PreparedRun with = racing_run(seed, 3'000);
    const PreparedRun without = racing_run(seed, 3'000);
    const SimulationResult kernel = simulate(with.inputs, Kernel::kSystemC);
    const SimulationResult plain = simulate(without.inputs, Kernel::kNone);
    CHECK(kernel.cycles == plain.cycles);
    CHECK(kernel.state_hash == plain.state_hash);
    CHECK(kernel.frames.received == plain.frames.received);
  }
}

TEST_CASE("one chip after another can be elaborated, and each run gives the same") {
  SimulationInputs inputs = mixed_load(chip_description("ixp1200"));
  inputs.stop.at = Cycle(5'000);
  const SimulationResult first = simulate(inputs, Kernel::kSystemC);
  const SimulationResult second = simulate(inputs, Kernel::kSystemC);
  CHECK(first.cycles == 5'000);
  CHECK(first.state_hash == second.state_hash);
  inputs.chip = chip_description("ixp1200", {"sram.push_latency=7"});
  CHECK(simulate(inputs, Kernel::kSystemC).state_hash != first.state_hash);
}

}  // namespace nplab::test
