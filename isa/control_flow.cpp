#include "isa/control_flow.h"

#include <algorithm>

#include "isa/instruction.h"

namespace nplab::isa {
namespace {

bool ends_thread(const Instruction& instruction) {
  return instruction.operation == Operation::kCtxArb &&
         (instruction.events & static_cast<std::uint16_t>(Event::kKill)) != 0;
}

Successors successors_of(const Instruction& instruction) {
  if (ends_thread(instruction))
    return {false, std::nullopt, false};
  switch (traits_of(instruction.operation).flow) {
    case ControlFlow::kNext: break;
    case ControlFlow::kBranch: return {false, instruction.target, false};
    case ControlFlow::kConditionalBranch: return {true, instruction.target, false};
    case ControlFlow::kComputed: return {false, std::nullopt, true};
  }
  return {};
}

}  // namespace

std::vector<Successors> control_flow(const ProgramImage& image) {
  std::vector<Successors> flow(image.words.size());
  for (std::size_t pc = 0; pc < image.words.size(); ++pc) {
    const auto instruction = decode(image.words[pc]);
    if (!instruction)
      continue;
    const Successors successors = successors_of(*instruction);
    if (successors == Successors{})
      continue;
    flow[std::min(pc + instruction->defer, image.words.size() - 1)] = successors;
  }
  return flow;
}

}  // namespace nplab::isa
