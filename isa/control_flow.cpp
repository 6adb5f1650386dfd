#include "isa/control_flow.h"

#include <algorithm>

#include "isa/instruction.h"

namespace nplab::isa {
namespace {

bool ends_thread(const Instruction& instruction) {
  return instruction.operation == Operation::kCtxArb &&
         (instruction.events & static_cast<std::uint16_t>(Event::kKill)) != 0;
}

using Instructions = std::vector<std::optional<Instruction>>;

// The branches that stand one after another from the word on.
std::vector<std::uint32_t> table_at(const Instructions& program, std::uint32_t word) {
  std::vector<std::uint32_t> entries;
  for (; word < program.size() && program[word]; ++word) {
    const Instruction& entry = *program[word];
    if (traits_of(entry.operation).flow != ControlFlow::kBranch || entry.defer != 0)
      break;
    entries.push_back(word);
  }
  return entries;
}

std::vector<std::uint32_t> addresses_loaded_to(const Instructions& program, OperandCode address) {
  std::vector<std::uint32_t> found;
  for (const auto& instruction : program)
    if (instruction && instruction->operation == Operation::kLoadAddr &&
        instruction->dst == address)
      found.push_back(instruction->target);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Successors successors_of(const Instruction& instruction, const Instructions& program) {
  if (ends_thread(instruction))
    return {false, std::nullopt, false, {}};
  switch (traits_of(instruction.operation).flow) {
    case ControlFlow::kNext: break;
    case ControlFlow::kBranch: return {false, instruction.target, false, {}};
    case ControlFlow::kConditionalBranch: return {true, instruction.target, false, {}};
    case ControlFlow::kComputed:
      return {false, std::nullopt, true,
              instruction.operation == Operation::kJump
                  ? table_at(program, instruction.target)
                  : addresses_loaded_to(program, instruction.a)};
  }
  return {};
}

}  // namespace

std::vector<Successors> control_flow(const ProgramImage& image) {
  Instructions program;
  for (const std::uint64_t word : image.words)
    program.push_back(decode(word));
  std::vector<Successors> flow(image.words.size());
  for (std::size_t pc = 0; pc < program.size(); ++pc) {
    if (!program[pc])
      continue;
    Successors successors = successors_of(*program[pc], program);
    if (successors == Successors{})
      continue;
    flow[std::min(pc + program[pc]->defer, program.size() - 1)] = std::move(successors);
  }
  return flow;
}

}  // namespace nplab::isa
