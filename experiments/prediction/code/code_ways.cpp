#include "experiments/prediction/code/code_ways.h"

#include <algorithm>
#include <queue>

#include "experiments/prediction/code/hand_overs.h"
#include "experiments/prediction/unit_service.h"
#include "simulator/base/moved_longwords.h"
#include "simulator/engine/control_store.h"

namespace nplab::experiments {

std::vector<std::optional<isa::Instruction>> instructions_in(const isa::ProgramImage& image) {
  std::vector<std::optional<isa::Instruction>> instructions;
  instructions.reserve(image.words.size());
  for (const std::uint64_t word : image.words)
    instructions.push_back(isa::decode(word));
  return instructions;
}

// Nothing completes fast_wr. The PCI unit is not modelled.
bool is_memory_reference(const isa::Instruction& instruction) {
  return instruction.operation == isa::Operation::kFastWr ||
         (instruction.completes_in != isa::Unit::kNone &&
          instruction.completes_in != isa::Unit::kPci);
}

void add_reference(const simulator::ChipDescription& chip, const isa::Instruction& reference,
                   double times, Demand& demand) {
  const unsigned longwords = simulator::moved_longwords(reference.operation, reference.count);
  const UnitDemand service = service_of(chip, reference.operation, longwords);
  UnitDemand& unit = demand.units[unit_of(reference.completes_in)];
  unit.references += times * service.references;
  unit.bus_cycles += times * service.bus_cycles;
  unit.writes += times * service.writes;
}

CodeWays::CodeWays(const isa::ProgramImage& image, const simulator::ChipDescription& chip)
    : flow_(isa::control_flow(image)), steps_(image.words.size()), hands_over_(hand_overs(image)) {
  for (std::size_t word = 0; word < steps_.size(); ++word) {
    if (const auto instruction = isa::decode(image.words[word]))
      read(image, word, *instruction, chip.engine.pipeline);
  }
}

void CodeWays::read(const isa::ProgramImage& image, std::size_t word,
                    const isa::Instruction& instruction,
                    const simulator::PipelineDescription& pipeline) {
  const double aborts = simulator::aborts_of(instruction.aborts, pipeline);
  const std::size_t end = std::min<std::size_t>(word + instruction.defer, image.words.size() - 1);
  const double rest = std::max(0.0, aborts - instruction.defer);
  if (instruction.aborts == isa::AbortClass::kSwap) {
    steps_[end].swaps = true;
    steps_[end].swap_aborts = rest;
  } else {
    steps_[end].taken_aborts = rest;
  }
  if (is_memory_reference(instruction))
    steps_[word].reference = instruction;
}

std::vector<CodeWays::Reached> CodeWays::from(std::size_t first) const {
  std::vector<Reached> reached(steps_.size());
  using Open = std::pair<double, std::size_t>;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  const auto reach = [&](std::size_t to, double cycles, std::size_t before, bool by_branch) {
    if (to >= reached.size() || cycles >= reached[to].cycles)
      return;
    reached[to] = {cycles, before, by_branch};
    open.emplace(cycles, to);
  };
  const auto leave = [&](std::size_t word, double cycles) {
    const double passed = cycles + 1 + steps_[word].swap_aborts;
    if (flow_[word].next)
      reach(word + 1, passed, word, false);
    if (flow_[word].target)
      reach(*flow_[word].target, passed + steps_[word].taken_aborts, word, true);
    for (const std::uint32_t target : flow_[word].computed)
      reach(target, passed + steps_[word].taken_aborts, word, true);
  };
  leave(first, 0);
  while (!open.empty()) {
    const auto [cycles, word] = open.top();
    open.pop();
    if (cycles > reached[word].cycles || word == first || !hands_over_[word].empty())
      continue;
    leave(word, cycles);
  }
  return reached;
}

std::vector<CodeWays::Passed> CodeWays::way(std::size_t first, std::size_t last) const {
  const auto reached = from(first);
  std::vector<Passed> way;
  if (reached.at(last).cycles == kUnreached)
    return way;
  std::size_t word = last;
  do {
    const Reached& of = reached[word];
    word = of.before;
    const double taken = of.by_branch ? steps_[word].taken_aborts : 0;
    way.push_back({word, steps_[word].swap_aborts + taken, taken});
  } while (word != first && way.size() <= steps_.size());
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace nplab::experiments
