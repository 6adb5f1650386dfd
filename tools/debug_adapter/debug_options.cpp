#include "tools/debug_adapter/debug_options.h"

#include <CLI/CLI.hpp>

#include <iostream>

#include "tools/options/experiment_options.h"
#include "tools/options/memory_words.h"

namespace nplab::tools {

using namespace experiments;
namespace {

bool is_program(const std::string& word) {
  return word.ends_with(".c") || word.ends_with(".s") || word.ends_with(".o");
}

}  // namespace

void add_debug_options(CLI::App& command, DebugOptions& options, const std::string& help_of_what) {
  command.add_option("MAPPING|FILE", options.what, help_of_what);
  command
      .add_option("--threads", options.program.threads,
                  "of a program: contexts per engine that run it [1]")
      ->check(CLI::Range(1u, simulator::kMostContexts));
  command.add_option("--engines", options.program.engines, "of a program: engines that run it [1]")
      ->check(CLI::Range(1u, simulator::kMostEngines));
  command
      .add_option("--load", options.load,
                  "of a program: numbers of a file that lie in memory at the start, such as "
                  "sram:0x100:table.txt")
      ->type_name("SPACE:ADDRESS:FILE")
      ->allow_extra_args(false);
  add_experiment_options(command, options.experiment);
  add_unit_option(command, options.experiment.units, "Experiment");
}

std::optional<DebugTarget> debug_target_of(const DebugOptions& options, Diagnostics& diagnostics) {
  ExperimentOptions experiment = options.experiment;
  experiment.variables = compiler::VariableRecord::kKept;
  if (!is_program(options.what))
    return debug_target_of_mapping(options.what, experiment, diagnostics);
  ProgramRunOptions program = options.program;
  program.file = options.what;
  program.set = options.experiment.set;
  if (!options.experiment.chip.empty())
    program.chip = options.experiment.chip;
  for (const std::string& text : options.load) {
    const auto contents = read_memory_contents(text, diagnostics);
    program.initial.insert(program.initial.end(), contents.begin(), contents.end());
  }
  auto compile = compile_options_of(options.compile, diagnostics);
  if (!compile)
    return std::nullopt;
  compile->variables = compiler::VariableRecord::kKept;
  return debug_target_of_program(
      program, std::move(*compile),
      [](const compiler::CompileReport& report) { std::cerr << messages_text(report); },
      diagnostics);
}

}  // namespace nplab::tools
