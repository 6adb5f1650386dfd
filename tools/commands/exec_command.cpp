// nplab exec: one program on one engine or several, until its threads end.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/run/program_run.h"
#include "experiments/run/trace_output.h"
#include "tools/commands/commands.h"
#include "tools/options/compile_options.h"
#include "tools/options/experiment_options.h"
#include "tools/options/memory_words.h"
#include "tools/options/trace_options.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct ExecOptions {
  ProgramRunOptions run;
  std::vector<std::string> memory;
  std::vector<std::string> load;
  TraceOptions trace;
  bool json = false;
  CompileOptionWords words;
};

std::string shares_text(const simulator::EngineCounters& counters, simulator::Cycles total) {
  const auto share = [total](simulator::Cycles part) {
    return total == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(total);
  };
  return fmt::format("executing {:.1f} %, aborted {:.1f} %, stalled {:.1f} %, idle {:.1f} %",
                     share(counters.executing), share(counters.aborted), share(counters.stalled),
                     share(counters.idle));
}

std::string end_text(const simulator::ExecResult& result) {
  if (result.fault)
    return "failed after";
  if (!result.ended)
    return "did not end within";
  return fmt::format("returned {} ({:#x}) after", static_cast<std::int32_t>(result.return_value),
                     result.return_value);
}

void print(const simulator::ExecInputs& inputs, const simulator::ExecResult& result) {
  std::cout << result.console;
  std::cout << fmt::format("{} {} cycles", end_text(result), result.cycles);
  if (result.engines.size() == 1)
    std::cout << ": " << shares_text(result.engines.front(), result.cycles) << '\n';
  else
    std::cout << '\n';
  for (std::size_t i = 0; i < result.engines.size() && result.engines.size() > 1; ++i)
    std::cout << fmt::format("engine {}: {}\n", i, shares_text(result.engines[i], result.cycles));
  for (std::size_t i = 0; i < result.memory.size(); ++i) {
    for (std::size_t k = 0; k < result.memory[i].size(); ++k) {
      std::cout << fmt::format("{:#010x}: {:#010x}\n", inputs.memory_wanted[i].address + 4 * k,
                               result.memory[i][k]);
    }
  }
}

int report(const ExecOptions& options, const simulator::ExecInputs& inputs,
           const simulator::ExecResult& result) {
  if (options.json) {
    std::cout << program_run_json(inputs, result).dump(2) << '\n';
  } else {
    print(inputs, result);
  }
  if (result.fault) {
    std::cerr << "nplab: fault: " << fault_text(*result.fault) << '\n';
    return kProgramFailed;
  }
  if (!result.ended) {
    std::cerr << fmt::format("nplab: the program did not end within {} cycles\n",
                             options.run.most_cycles);
    for (const std::string& line : result.waiting)
      std::cerr << "  " << line << '\n';
    return kProgramFailed;
  }
  return result.return_value == 0 ? kDone : kCheckFailed;
}

std::optional<simulator::ExecInputs> prepare_inputs(const ExecOptions& options,
                                                    Diagnostics& diagnostics) {
  ProgramRunOptions run = options.run;
  for (const std::string& text : options.memory) {
    if (const auto range = parse_memory_range(text, diagnostics))
      run.memory.push_back(*range);
  }
  for (const std::string& text : options.load) {
    const auto contents = read_memory_contents(text, diagnostics);
    run.initial.insert(run.initial.end(), contents.begin(), contents.end());
  }
  auto compile = compile_options_of(options.words, diagnostics);
  compiler::CompileReport report;
  auto inputs = prepare_program_run(run, std::move(compile).value_or(compiler::CompileOptions{}),
                                    report, diagnostics);
  std::cerr << messages_text(report);
  return inputs;
}

int exec(const ExecOptions& options) {
  Diagnostics diagnostics;
  const auto trace = trace_request(options.trace, diagnostics);
  auto inputs = prepare_inputs(options, diagnostics);
  if (trace && inputs)
    check_trace(*trace, inputs->chip, diagnostics);
  if (!inputs || diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  std::optional<TraceOutput> output;
  if (trace)
    output.emplace(*trace).attach(*inputs);
  const auto result = simulator::exec(*inputs);
  if (output)
    output->commit(diagnostics);
  const int status = report(options, *inputs, result);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : status;
}

}  // namespace

void add_exec_command(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("exec", "Run one program on one engine or several until its threads end");
  command->footer(
      "Exit status: 0 main returned 0; 1 it returned something else; 2 bad input; 3 abort(), a "
      "fault, or no end.");
  auto options = std::make_shared<ExecOptions>();
  command->add_option("FILE", options->run.file, "program: .c is compiled, .s assembled, .o loaded")
      ->required();
  command
      ->add_option("--chip", options->run.chip,
                   "chip [test: 64K control-store words, large memories]")
      ->type_name("FILE|NAME");
  command->add_option("--set", options->run.set, "override a key of the chip: chip.K=V")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--engines", options->run.engines,
                   "number of engines that run the program, from engine 0 on [1]")
      ->check(CLI::Range(1u, simulator::kMostEngines));
  command
      ->add_option("--threads", options->run.threads,
                   "number of contexts per engine that run it, from context 0 on [1]")
      ->check(CLI::Range(1u, simulator::kMostContexts));
  add_mode_option(*command, options->run.mode,
                  "windows (temporal decoupling) or lockstep; the results are the same [windows]");
  command->add_option("--cycles", options->run.most_cycles, "stop after N cycles [10^9]")
      ->type_name("N");
  command
      ->add_option("--memory", options->memory, "print longwords at the end, such as sram:0x100:8")
      ->type_name("SPACE:ADDRESS:LONGWORDS")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--load", options->load,
          "numbers of a file that lie in memory at the start, such as sram:0x100:table.txt")
      ->type_name("SPACE:ADDRESS:FILE")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json,
                    "return value, console, memory and cycles by state, as JSON");
  add_trace_options(*command, options->trace);
  add_compile_options(*command, options->words);
  command->callback([options, &status] { status = exec(*options); });
}

}  // namespace nplab::tools
