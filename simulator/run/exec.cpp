#include "simulator/run/exec.h"

#include <algorithm>

#include <fmt/format.h>

namespace nplab::simulator {
namespace {

class Console final : public AnnotationSink {
 public:
  explicit Console(std::string& text) : text_(text) {}
  void annotation(isa::Annotation::Kind kind, ThreadId, std::uint32_t first, std::uint32_t,
                  Cycle) override {
    if (kind == isa::Annotation::Kind::kConsoleChar)
      text_ += static_cast<char>(first);
    else
      text_ += fmt::format("{:#010x}\n", first);
  }

 private:
  std::string& text_;
};

constexpr isa::OperandCode kReturnRegister = 0;  // a0

void look(const ExecInputs& inputs, const ChipParts& parts, ExecResult& result) {
  const Microengine& engine = *parts.engines.front();
  result.ended = parts.live_threads() == 0;
  result.return_value = engine.register_value(ContextId(0), kReturnRegister);
  if (!result.ended)
    result.waiting = parts.waiting();
  for (const LongwordRange& range : inputs.memory_wanted) {
    std::vector<std::uint32_t>& longwords = result.memory.emplace_back();
    for (std::uint32_t i = 0; i < range.longwords; ++i)
      longwords.push_back(parts.storage(range.space).peek(range.address + 4 * i));
  }
}

}  // namespace

SimulationInputs simulation_inputs(const ExecInputs& inputs) {
  SimulationInputs run;
  run.chip = inputs.chip;
  std::vector<ContextId> contexts;
  for (unsigned context = 0; context < inputs.threads; ++context)
    contexts.emplace_back(context);
  run.engines.emplace_back(LoadedProgram{inputs.image, contexts});
  for (const isa::ProgramImage& image : inputs.more_engines)
    run.engines.emplace_back(LoadedProgram{image, contexts});
  run.mode = inputs.mode;
  run.observation = inputs.observation;
  run.dram_commands = inputs.dram_commands;
  run.memory = inputs.memory;
  run.stop.at = Cycle(inputs.most_cycles);
  run.watchdog = 0;  // a program may compute for long
  return run;
}

bool check_exec(const ExecInputs& inputs, Diagnostics& diagnostics) {
  SimulationInputs run = simulation_inputs(inputs);
  for (const LongwordRange& range : inputs.memory_wanted) {
    constexpr std::uint64_t kLastAddress = 0xfffffffc;
    const std::uint64_t last =
        range.address + std::uint64_t{4} * (std::max(range.longwords, 1u) - 1);
    run.memory.push_back({range.space, range.address, 0});
    run.memory.push_back(
        {range.space, static_cast<std::uint32_t>(std::min(last, kLastAddress)), 0});
  }
  return check_inputs(run, diagnostics);
}

ExecResult exec(const ExecInputs& inputs) {
  ExecResult result;
  Console console(result.console);
  SimulationInputs run = simulation_inputs(inputs);
  run.console = &console;
  run.inspect = [&](const ChipParts& parts) { look(inputs, parts, result); };
  SimulationResult simulated = simulate(run, Kernel::kNone);
  result.cycles = simulated.cycles;
  simulated.engines.resize(1 + inputs.more_engines.size());
  result.engines = std::move(simulated.engines);
  result.state_hash = simulated.state_hash;
  result.fault = std::move(simulated.fault);
  return result;
}

}  // namespace nplab::simulator
