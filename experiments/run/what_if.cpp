#include "experiments/run/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/record/word_use.h"
#include "reports/analysis/stations.h"

namespace nplab::experiments {
namespace {

using simulator::SimulationInputs;
using simulator::WordCost;

void free_aborts(SimulationInputs& inputs) {
  auto& pipeline = inputs.chip.engine.pipeline;
  pipeline.unconditional_aborts = pipeline.condition_aborts = 0;
  pipeline.condition_aborts_after_setter = pipeline.state_aborts = 0;
  pipeline.test_aborts = pipeline.swap_aborts = 0;
}

void free_ports(SimulationInputs& inputs) {
  constexpr unsigned kFaster = 8;
  inputs.chip.media.port_bits_per_second *= kFaster;
}

// No run without cost of all: what its memory must bring still takes its time.
void free_match_unit(SimulationInputs& inputs) {
  constexpr unsigned kFaster = 8;
  if (!inputs.chip.match)
    return;
  simulator::MatchUnitParameters& unit = *inputs.chip.match;
  unit.clock_hz *= kFaster;
  unit.channels = std::min(16u, unit.channels * kFaster);
  unit.request_latency = unit.answer_latency = 1;
}

void free_polling(SimulationInputs& inputs) {
  for (auto& program : inputs.engines) {
    if (!program)
      continue;
    const auto uses = word_uses(program->image);
    program->costs.resize(uses.size(), WordCost::kCycle);
    for (std::size_t word = 0; word < uses.size(); ++word)
      if (uses[word] != WordUse::kUseful && program->costs[word] == WordCost::kCycle)
        program->costs[word] = WordCost::kAside;
  }
}

void free_engines(const std::string& name, SimulationInputs& inputs) {
  for (const auto engine : reports::engines_named(name))
    if (auto& program = inputs.engines.at(engine))
      program->costs.assign(program->image.words.size(), WordCost::kNothing);
}

struct Resource {
  const char* name;
  void (*make_free)(SimulationInputs& inputs);
};
constexpr std::array kResources = {
    Resource{"sram", [](SimulationInputs& inputs) { inputs.free_memories.sram = true; }},
    Resource{"sdram", [](SimulationInputs& inputs) { inputs.free_memories.sdram = true; }},
    Resource{"scratch", [](SimulationInputs& inputs) { inputs.free_memories.scratch = true; }},
    Resource{"ports", free_ports},
    Resource{"match", free_match_unit},
    Resource{"aborts", free_aborts},
    Resource{"polling", free_polling}};

const Resource* find_resource(const std::string& name) {
  const auto found = std::find_if(kResources.begin(), kResources.end(),
                                  [&](const Resource& one) { return one.name == name; });
  return found == kResources.end() ? nullptr : found;
}

}  // namespace

void check_without(const std::vector<std::string>& resources, unsigned engines,
                   Diagnostics& diagnostics) {
  for (const std::string& name : resources) {
    if (find_resource(name) != nullptr)
      continue;
    const auto numbers = reports::engines_named(name);
    if (numbers.empty())
      diagnostics.error(without_lines("--without " + name),
                        fmt::format("no such resource; it is one of {}", kWithoutHelp));
    else if (*numbers.rbegin() >= engines)
      diagnostics.error(
          without_lines("--without " + name),
          fmt::format("names an engine that the chip does not have: it has 0 to {}", engines - 1));
  }
}

void free_resources(const std::vector<std::string>& resources, SimulationInputs& inputs) {
  for (const std::string& name : resources) {
    if (const Resource* resource = find_resource(name))
      resource->make_free(inputs);
    else
      free_engines(name, inputs);
  }
}

}  // namespace nplab::experiments
