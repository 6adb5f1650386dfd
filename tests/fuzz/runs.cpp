#include "tests/fuzz/runs.h"

#include <algorithm>
#include <stdexcept>

namespace nplab::test {

using namespace simulator;

namespace {

workloads::Traffic frames() {
  std::vector<workloads::Packet> packets;
  for (const std::size_t bytes : {64u, 65u, 200u, 1518u}) {
    workloads::Packet packet;
    packet.frame.resize(bytes, 0x5a);
    packets.push_back(std::move(packet));
  }
  return workloads::Traffic(workloads::TrafficKind::kGenerated, "fuzz", "", std::move(packets));
}

}  // namespace

SimulationResult run_hostile(const ChipDescription& chip, const isa::ProgramImage& image,
                             Cycles cycles) {
  static const workloads::Traffic traffic = frames();
  workloads::TrafficSource source(traffic, {workloads::PortId(0)}, std::nullopt);
  SimulationInputs inputs;
  inputs.chip = chip;
  inputs.chip.media.traffic_start = Cycle(0);
  LoadedProgram program{image, {}};
  for (unsigned context = 0; context < chip.engine.contexts; ++context)
    program.contexts.emplace_back(context);
  inputs.engines.assign(std::min(chip.engine.engines, 2u), program);
  for (unsigned list = 0; list < std::min(chip.sram.free_lists, 2u); ++list)
    inputs.free_lists.push_back(4 * list);
  inputs.packets = &source;
  inputs.stop.at = Cycle(cycles);
  inputs.watchdog = 0;
  SimulationResult result = simulate(inputs, Kernel::kNone);
  for (const EngineCounters& counters : result.engines)
    if (const std::string broken = broken_sum(counters, result.cycles);
        !broken.empty() && !result.fault)
      throw std::logic_error(broken);
  return result;
}

}  // namespace nplab::test
