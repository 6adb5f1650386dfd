#include "isa/control_flow.h"

#include <algorithm>

#include "isa/instruction.h"

namespace nplab::isa {
namespace {

bool is_conditional(Operation operation) {
  switch (operation) {
    case Operation::kBrEqual:
    case Operation::kBrNotEqual:
    case Operation::kBrGreater:
    case Operation::kBrGreaterEqual:
    case Operation::kBrLess:
    case Operation::kBrLessEqual:
    case Operation::kBrCarry:
    case Operation::kBrNoCarry:
    case Operation::kBrBset:
    case Operation::kBrBclr:
    case Operation::kBrEqualByte:
    case Operation::kBrNotEqualByte:
    case Operation::kBrEqualCtx:
    case Operation::kBrNotEqualCtx:
    case Operation::kBrInpState:
    case Operation::kBrNotSignal: return true;
    default: return false;
  }
}

Successors successors_of(const Instruction& instruction) {
  const bool kills = instruction.operation == Operation::kCtxArb &&
                     (instruction.events & static_cast<std::uint16_t>(Event::kKill)) != 0;
  if (kills)
    return {false, std::nullopt, false};
  if (instruction.operation == Operation::kJump)
    return {false, std::nullopt, true};
  if (instruction.operation == Operation::kBr)
    return {false, instruction.target, false};
  if (is_conditional(instruction.operation))
    return {true, instruction.target, false};
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
