#include "tests/simulator/bench/racing_run.h"

#include <memory>
#include <random>
#include <vector>

#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/racing_program.h"
#include "tests/simulator/media/test_traffic.h"

namespace nplab::test {

using namespace simulator;
using simulator::test::TestFrame;
using simulator::test::TestSource;

simulator::ChipDescription racing_chip(std::mt19937_64& random) {
  static const ChipDescription shipped = chip_description("ixp1200");
  ChipDescription chip = shipped;
  chip.media.traffic_start = Cycle(50);
  const auto between = [&random](unsigned least, unsigned most) {
    return static_cast<unsigned>(least + random() % (most - least + 1));
  };
  if (between(0, 2) == 0)
    return chip;
  chip.engine.command_fifo_entries = between(1, 4);
  chip.command_bus = {between(1, 3), between(1, 6)};
  chip.sram.bus_cycles = between(1, 4);
  chip.sram.pipeline_latency = between(1, 8);
  chip.sram.push_latency = between(1, 8);
  chip.sram.write_completion = between(1, 8);
  chip.sram.effective_capacity = between(0, 6);
  chip.sram.queues["order_queue"] = between(1, 16);
  chip.sram.queues["lock_fail_queue"] = between(1, 4);
  chip.sdram.pipeline_latency = between(1, 20);
  chip.sdram.push_latency = between(1, 12);
  chip.sdram.write_completion = between(1, 12);
  chip.sdram.queues["order_queue"] = between(1, 8);
  chip.scratch.pipeline_latency = between(1, 6);
  chip.scratch.push_latency = between(1, 6);
  chip.scratch.write_completion = between(1, 6);
  chip.scratch.queues["queue"] = between(1, 16);
  chip.fbi.queues["queue"] = between(1, 16);
  chip.fbi.command_latency = between(1, 6);
  chip.fbi.csr_read_latency = between(1, 6);
  chip.fbi.signal_latency = between(1, 4);
  chip.fbi.receive_control_latency = between(1, 6);
  chip.fbi.receive_timeout = between(1, 40);
  return chip;
}

namespace {

PreparedRun run_of(const RacingProgramOptions& options, std::uint64_t seed, std::uint64_t cycles) {
  std::mt19937_64 random(seed);
  PreparedRun run;
  run.inputs.chip = racing_chip(random);
  const bool faults = seed % 4 == 3;
  const bool quick_answers = seed % 3 != 1;  // without them windows are longer
  const unsigned engines = 2 + static_cast<unsigned>(random() % 5);
  for (unsigned engine = 0; engine < engines; ++engine) {
    LoadedProgram program{racing_program({.seed = random(),
                                          .threads = 4 * engines,
                                          .words = 60 + unsigned(random() % 150),
                                          .faults = faults,
                                          .quick_answers = quick_answers,
                                          .waits = options.waits}),
                          {}};
    for (unsigned context = 0; context <= random() % 4; ++context)
      program.contexts.emplace_back(context);
    run.inputs.engines.emplace_back(std::move(program));
  }
  std::vector<TestFrame> frames;
  for (unsigned i = 0; i < 40; ++i)
    frames.push_back({i % 8, 64 + random() % 200, random() % 8});
  auto source = std::make_shared<TestSource>(frames, 100);
  run.inputs.packets = &source->source;
  run.kept = source;
  run.inputs.stop.at = Cycle(cycles);
  if (seed % 5 == 0)
    run.inputs.stop.packets_received = 1 + random() % 6;
  run.inputs.watchdog = 1000;
  return run;
}

}  // namespace

PreparedRun racing_run(std::uint64_t seed, std::uint64_t cycles) {
  return run_of({}, seed, cycles);
}

PreparedRun waiting_run(std::uint64_t seed, std::uint64_t cycles) {
  return run_of({.waits = true}, seed, cycles);
}

}  // namespace nplab::test
