// nplab exec: one program on one engine, until its threads end.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "simulator/exec.h"
#include "support/input_file.h"
#include "tools/chip_file.h"
#include "tools/command_line.h"
#include "tools/compile_options.h"
#include "tools/data_files.h"
#include "tools/experiment_options.h"
#include "tools/program_loader.h"

namespace nplab::tools {
namespace {

struct ExecOptions {
  std::string file;
  std::string chip = "test";
  std::vector<std::string> set;
  std::vector<std::string> memory;
  unsigned threads = 1;
  std::uint64_t most_cycles = 1'000'000'000;
  bool json = false;
  CompileOptionWords words;
};

std::optional<simulator::ChipDescription> read_chip(const ExecOptions& options, Diagnostics& diagnostics) {
  const auto path = find_data_file(DataKind::kChip, options.chip, {"--chip", 0, 0}, diagnostics);
  auto text = path ? read_chip_text(*path, diagnostics) : std::nullopt;
  if (!text) return std::nullopt;
  for (const Override& override : parse_overrides(options.set, diagnostics)) {
    if (override.target != Override::Target::kChip) {
      diagnostics.error(override.location, "exec has a chip and nothing else to override; write chip.KEY=VALUE");
    }
  }
  apply_overrides(parse_overrides(options.set, diagnostics), Override::Target::kChip, text->root, diagnostics);
  return simulator::read_chip(text->root, diagnostics);
}

// `sram:0x100:8`: eight longwords from byte 0x100.
std::optional<simulator::MemoryRange> parse_range(const std::string& text, Diagnostics& diagnostics) {
  const auto first = text.find(':');
  const auto second = text.find(':', first == std::string::npos ? first : first + 1);
  try {
    if (second == std::string::npos) throw std::invalid_argument(text);
    const std::string space = text.substr(0, first);
    simulator::MemoryRange range;
    if (space == "sram") {
      range.space = isa::MemorySpace::kSram;
    } else if (space == "sdram") {
      range.space = isa::MemorySpace::kSdram;
    } else if (space == "scratch") {
      range.space = isa::MemorySpace::kScratch;
    } else {
      throw std::invalid_argument(text);
    }
    range.address = static_cast<std::uint32_t>(std::stoul(text.substr(first + 1, second - first - 1), nullptr, 0));
    range.longwords = static_cast<std::uint32_t>(std::stoul(text.substr(second + 1), nullptr, 0));
    return range;
  } catch (const std::exception&) {
    diagnostics.error({"--memory " + text, 0, 0}, "a range is written sram:ADDRESS:LONGWORDS (or sdram, scratch), such as sram:0x100:8");
    return std::nullopt;
  }
}

std::string fault_text(const simulator::Fault& fault) {
  return fmt::format("cycle {}{}{}: {}", fault.at.number(), fault.pc ? fmt::format(", word {}", *fault.pc) : "",
                     fault.source.empty() ? "" : ", " + fault.source, fault.message);
}

nlohmann::ordered_json json_of(const simulator::ExecInputs& inputs, const simulator::ExecResult& result) {
  nlohmann::ordered_json json;
  json["schema"] = "nplab.exec/1";
  json["return_value"] = result.return_value;
  json["console"] = result.console;
  json["cycles"] = {{"total", result.cycles},
                    {"executing", result.counters.executing},
                    {"aborted", result.counters.aborted},
                    {"stalled", result.counters.stalled},
                    {"idle", result.counters.idle}};
  json["words"] = inputs.image.words.size();
  json["memory"] = nlohmann::ordered_json::array();
  for (const auto& longwords : result.memory) json["memory"].push_back(longwords);
  if (result.fault) json["fault"] = fault_text(*result.fault);
  if (!result.ended) json["waiting"] = result.waiting;
  return json;
}

void print(const simulator::ExecInputs& inputs, const simulator::ExecResult& result) {
  std::cout << result.console;
  const auto& counters = result.counters;
  const auto share = [&](simulator::Cycles part) { return result.cycles == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(result.cycles); };
  std::cout << fmt::format("returned {} ({:#x}) after {} cycles: executing {:.1f} %, aborted {:.1f} %, stalled {:.1f} %, idle {:.1f} %\n",
                           static_cast<std::int32_t>(result.return_value), result.return_value, result.cycles,
                           share(counters.executing), share(counters.aborted), share(counters.stalled), share(counters.idle));
  for (std::size_t i = 0; i < result.memory.size(); ++i) {
    for (std::size_t k = 0; k < result.memory[i].size(); ++k) {
      std::cout << fmt::format("{:#010x}: {:#010x}\n", inputs.memory_wanted[i].address + 4 * k, result.memory[i][k]);
    }
  }
}

int exec(const ExecOptions& options) {
  Diagnostics diagnostics;
  auto chip = read_chip(options, diagnostics);
  auto compile_options = compile_options_of(options.words, diagnostics);
  simulator::ExecInputs inputs;
  for (const std::string& text : options.memory) {
    if (const auto range = parse_range(text, diagnostics)) inputs.memory_wanted.push_back(*range);
  }
  if (chip && compile_options) {
    compile_options->control_store_words = chip->engine.control_store_words;
    // The lower half of scratch holds the four threads' frames, the upper half the program's variables.
    compile_options->frame.bytes_per_thread = chip->scratch.bytes / 8;
    compile_options->data.scratch = chip->scratch.bytes / 2;
    compiler::CompileReport report;
    auto image = load_program(options.file, *compile_options, diagnostics, {}, &report);
    std::cerr << warnings_text(report);
    if (image) {
      inputs.chip = std::move(*chip);
      inputs.image = std::move(*image);
      inputs.threads = options.threads;
      inputs.most_cycles = options.most_cycles;
      simulator::check_exec(inputs, diagnostics);
    }
  }
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  const auto result = simulator::exec(inputs);
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
    std::cerr << fmt::format("nplab: the program did not end within {} cycles\n", options.most_cycles);
    for (const std::string& line : result.waiting) std::cerr << "  " << line << '\n';
    return kProgramFailed;
  }
  return result.return_value == 0 ? kDone : kCheckFailed;
}

}  // namespace

void add_exec_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("exec", "Run one program on one engine until its threads end");
  command->footer("Exit status: 0 main returned 0; 1 it returned something else; 2 bad input; 3 abort(), a fault, or no end.");
  auto options = std::make_shared<ExecOptions>();
  command->add_option("FILE", options->file, "program: .c is compiled, .s assembled, .o loaded")->required();
  command->add_option("--chip", options->chip, "chip [test: 64K control-store words, large memories]")->type_name("FILE|NAME");
  command->add_option("--set", options->set, "override a key of the chip: chip.K=V")->type_name("KEY=VALUE")->allow_extra_args(false);
  command->add_option("--threads", options->threads, "contexts that run the program, from 0 [1]")->check(CLI::Range(1, 4));
  command->add_option("--cycles", options->most_cycles, "give up after so many cycles [10^9]")->type_name("N");
  command->add_option("--memory", options->memory, "print longwords at the end, such as sram:0x100:8")
      ->type_name("SPACE:ADDRESS:LONGWORDS")->allow_extra_args(false);
  command->add_flag("--json", options->json, "return value, console, memory and cycles by state, as JSON");
  add_compile_options(*command, options->words);
  command->callback([options, &status] { status = exec(*options); });
}

}  // namespace nplab::tools
