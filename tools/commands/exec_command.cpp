// nplab exec: one program on one engine or several, until its threads end.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <bit>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/prepare/chip_file.h"
#include "experiments/prepare/compile_options.h"
#include "experiments/prepare/data_files.h"
#include "experiments/prepare/experiment_options.h"
#include "experiments/prepare/program_loader.h"
#include "experiments/run/trace_output.h"
#include "simulator/run/exec.h"
#include "tools/commands/commands.h"
#include "tools/options/compile_options.h"
#include "tools/options/experiment_options.h"
#include "tools/options/memory_words.h"
#include "tools/options/trace_options.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct ExecOptions {
  std::string file;
  std::string chip = "test";
  std::vector<std::string> set;
  std::vector<std::string> memory;
  std::vector<std::string> load;
  unsigned engines = 1;
  unsigned threads = 1;
  simulator::Mode mode = simulator::Mode::kWindows;
  TraceOptions trace;
  std::uint64_t most_cycles = 1'000'000'000;
  bool json = false;
  CompileOptionWords words;
};

std::optional<simulator::ChipDescription> read_chip(const ExecOptions& options,
                                                    Diagnostics& diagnostics) {
  const auto path = find_data_file(DataKind::kChip, options.chip, {"--chip", 0, 0}, diagnostics);
  auto text = path ? read_chip_text(*path, diagnostics) : std::nullopt;
  if (!text)
    return std::nullopt;
  for (const Override& override : parse_overrides(options.set, diagnostics)) {
    if (override.target != Override::Target::kChip) {
      diagnostics.error(override.location,
                        "exec can override only keys of the chip; write chip.KEY=VALUE");
    }
  }
  apply_overrides(parse_overrides(options.set, diagnostics), Override::Target::kChip, text->root,
                  diagnostics);
  return simulator::read_chip(text->root, diagnostics);
}

std::string fault_text(const simulator::Fault& fault) {
  return fmt::format("cycle {}{}{}: {}", fault.at.number(),
                     fault.pc ? fmt::format(", word {}", *fault.pc) : "",
                     fault.source.empty() ? "" : ", " + fault.source, fault.message);
}

nlohmann::ordered_json cycles_of(const simulator::EngineCounters& counters,
                                 simulator::Cycles total) {
  return {{"total", total},
          {"executing", counters.executing},
          {"aborted", counters.aborted},
          {"stalled", counters.stalled},
          {"idle", counters.idle}};
}

nlohmann::ordered_json json_of(const simulator::ExecInputs& inputs,
                               const simulator::ExecResult& result) {
  nlohmann::ordered_json json;
  json["schema"] = "nplab.exec/1";
  json["return_value"] = result.ended && !result.fault ? nlohmann::ordered_json(result.return_value)
                                                       : nlohmann::ordered_json(nullptr);
  json["console"] = result.console;
  json["cycles"] = cycles_of(result.engines.front(), result.cycles);
  if (result.engines.size() > 1) {
    json["engines"] = nlohmann::ordered_json::array();
    for (const auto& counters : result.engines)
      json["engines"].push_back(cycles_of(counters, result.cycles));
  }
  json["state_hash"] = fmt::format("{:016x}", result.state_hash);
  json["words"] = inputs.image.words.size();
  json["memory"] = nlohmann::ordered_json::array();
  for (const auto& longwords : result.memory)
    json["memory"].push_back(longwords);
  if (result.fault)
    json["fault"] = fault_text(*result.fault);
  if (!result.ended)
    json["waiting"] = result.waiting;
  return json;
}

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

void check_threads(const ExecOptions& options, const simulator::ChipDescription& chip,
                   Diagnostics& diagnostics) {
  const auto check = [&](const char* option, unsigned wanted, unsigned most, const char* what) {
    if (wanted <= most)
      return;
    diagnostics.error({fmt::format("{} {}", option, wanted), 0, 0},
                      fmt::format("the chip {} has {} {}", chip.name, most, what));
  };
  check("--engines", options.engines, chip.engine.engines, "engines");
  check("--threads", options.threads, chip.engine.contexts, "contexts per engine");
}

// The lower half of scratch holds the threads' frames, engine by engine, the upper half the
// program's variables.
void place_data(const ExecOptions& options, const simulator::ChipDescription& chip, unsigned engine,
                compiler::CompileOptions& compile) {
  const std::uint32_t each = chip.scratch.bytes / 2 / options.engines;
  compile.control_store_words = chip.engine.control_store_words;
  compile.frame.contexts = std::bit_ceil(chip.engine.contexts);
  compile.frame.bytes_per_thread = std::bit_floor(each / compile.frame.contexts);
  compile.frame.base = engine * compile.frame.contexts * compile.frame.bytes_per_thread;
  compile.data.scratch = chip.scratch.bytes / 2;
}

// The programs differ in where their frames lie, if they have any.
bool load_programs(const ExecOptions& options, compiler::CompileOptions compile,
                   const simulator::ChipDescription& chip, simulator::ExecInputs& inputs,
                   Diagnostics& diagnostics) {
  compiler::CompileReport report;
  place_data(options, chip, 0, compile);
  auto image = load_program(options.file, compile, diagnostics, {}, &report);
  std::cerr << messages_text(report);
  if (!image)
    return false;
  inputs.image = std::move(*image);
  for (unsigned engine = 1; engine < options.engines; ++engine) {
    inputs.more_engines.push_back(inputs.image);
    if (report.frame_bytes == 0)
      continue;
    place_data(options, chip, engine, compile);
    if (auto own = load_program(options.file, compile, diagnostics))
      inputs.more_engines.back() = std::move(*own);
  }
  return !diagnostics.has_errors();
}

std::optional<simulator::ExecInputs> prepare_inputs(const ExecOptions& options,
                                                    Diagnostics& diagnostics) {
  auto chip = read_chip(options, diagnostics);
  auto compile = compile_options_of(options.words, diagnostics);
  simulator::ExecInputs inputs;
  for (const std::string& text : options.memory) {
    if (const auto range = parse_memory_range(text, diagnostics))
      inputs.memory_wanted.push_back(*range);
  }
  for (const std::string& text : options.load) {
    const auto contents = read_memory_contents(text, diagnostics);
    inputs.memory.insert(inputs.memory.end(), contents.begin(), contents.end());
  }
  if (chip)
    check_threads(options, *chip, diagnostics);
  if (!chip || !compile || diagnostics.has_errors())
    return std::nullopt;
  add_thread_bits(chip->engine.contexts, *compile);
  if (!load_programs(options, *compile, *chip, inputs, diagnostics))
    return std::nullopt;
  inputs.chip = std::move(*chip);
  inputs.threads = options.threads;
  inputs.most_cycles = options.most_cycles;
  inputs.mode = options.mode;
  if (!simulator::check_exec(inputs, diagnostics))
    return std::nullopt;
  return inputs;
}

int report(const ExecOptions& options, const simulator::ExecInputs& inputs,
           const simulator::ExecResult& result) {
  if (options.json) {
    std::cout << json_of(inputs, result).dump(2) << '\n';
  } else {
    print(inputs, result);
  }
  if (result.fault) {
    std::cerr << "nplab: fault: " << fault_text(*result.fault) << '\n';
    return kProgramFailed;
  }
  if (!result.ended) {
    std::cerr << fmt::format("nplab: the program did not end within {} cycles\n",
                             options.most_cycles);
    for (const std::string& line : result.waiting)
      std::cerr << "  " << line << '\n';
    return kProgramFailed;
  }
  return result.return_value == 0 ? kDone : kCheckFailed;
}

int exec(const ExecOptions& options) {
  Diagnostics diagnostics;
  const auto trace = trace_request(options.trace, diagnostics);
  auto inputs = prepare_inputs(options, diagnostics);
  if (!inputs || diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  std::optional<TraceOutput> output;
  if (trace)
    inputs->observation = output.emplace(*trace).observation();
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
  command->add_option("FILE", options->file, "program: .c is compiled, .s assembled, .o loaded")
      ->required();
  command
      ->add_option("--chip", options->chip, "chip [test: 64K control-store words, large memories]")
      ->type_name("FILE|NAME");
  command->add_option("--set", options->set, "override a key of the chip: chip.K=V")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--engines", options->engines,
                   "number of engines that run the program, from engine 0 on [1]")
      ->check(CLI::Range(1u, simulator::kMostEngines));
  command
      ->add_option("--threads", options->threads,
                   "number of contexts per engine that run it, from context 0 on [1]")
      ->check(CLI::Range(1u, simulator::kMostContexts));
  add_mode_option(*command, options->mode,
                  "windows (temporal decoupling) or lockstep; the results are the same [windows]");
  command->add_option("--cycles", options->most_cycles, "stop after N cycles [10^9]")
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
