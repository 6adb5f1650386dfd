#include "experiments/run/program_run.h"

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "experiments/prepare/chip_file.h"
#include "experiments/prepare/compile_options.h"
#include "experiments/prepare/data_files.h"
#include "experiments/prepare/experiment_options.h"
#include "experiments/prepare/program_loader.h"

namespace nplab::experiments {
namespace {

std::optional<simulator::ChipDescription> read_chip(const ProgramRunOptions& options,
                                                    Diagnostics& diagnostics) {
  const auto path =
      find_data_file(DataKind::kChip, options.chip, without_lines("--chip"), diagnostics);
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

void check_threads(const ProgramRunOptions& options, const simulator::ChipDescription& chip,
                   Diagnostics& diagnostics) {
  const auto check = [&](const char* option, unsigned wanted, unsigned most, const char* what) {
    if (wanted <= most)
      return;
    diagnostics.error(without_lines(fmt::format("{} {}", option, wanted)),
                      fmt::format("the chip {} has {} {}", chip.name, most, what));
  };
  check("--engines", options.engines, chip.engine.engines, "engines");
  check("--threads", options.threads, chip.engine.contexts, "contexts per engine");
}

// The lower half of scratch holds the threads' frames, engine by engine, the upper half the
// program's variables.
void place_data(const ProgramRunOptions& options, const simulator::ChipDescription& chip,
                unsigned engine, compiler::CompileOptions& compile) {
  const std::uint32_t each = chip.scratch.bytes / 2 / options.engines;
  compile.control_store_words = chip.engine.control_store_words;
  compile.frame.contexts = std::bit_ceil(chip.engine.contexts);
  compile.frame.bytes_per_thread = std::bit_floor(each / compile.frame.contexts);
  compile.frame.base = engine * compile.frame.contexts * compile.frame.bytes_per_thread;
  compile.data = {compiler::kNullBytes, compiler::kNullBytes, chip.scratch.bytes / 2};
}

// The programs differ in where their frames lie, if they have any.
bool load_programs(const ProgramRunOptions& options, compiler::CompileOptions compile,
                   const simulator::ChipDescription& chip, simulator::ExecInputs& inputs,
                   compiler::CompileReport& report, Diagnostics& diagnostics) {
  place_data(options, chip, 0, compile);
  auto image = load_program(options.file, compile, diagnostics, {}, &report);
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

nlohmann::ordered_json cycles_of(const simulator::EngineCounters& counters,
                                 simulator::Cycles total) {
  return {{"total", total},
          {"executing", counters.executing},
          {"aborted", counters.aborted},
          {"stalled", counters.stalled},
          {"idle", counters.idle}};
}

}  // namespace

std::string fault_text(const simulator::Fault& fault) {
  return fmt::format("cycle {}{}{}: {}", fault.at.number(),
                     fault.pc ? fmt::format(", word {}", *fault.pc) : "",
                     fault.source.empty() ? "" : ", " + fault.source, fault.message);
}

nlohmann::ordered_json program_run_json(const simulator::ExecInputs& inputs,
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

std::optional<simulator::ExecInputs> prepare_program_run(const ProgramRunOptions& options,
                                                         compiler::CompileOptions compile,
                                                         compiler::CompileReport& report,
                                                         Diagnostics& diagnostics) {
  auto chip = read_chip(options, diagnostics);
  if (chip)
    check_threads(options, *chip, diagnostics);
  if (!chip || diagnostics.has_errors())
    return std::nullopt;
  simulator::ExecInputs inputs;
  add_thread_bits(chip->engine.contexts, compile);
  if (!load_programs(options, std::move(compile), *chip, inputs, report, diagnostics))
    return std::nullopt;
  inputs.chip = std::move(*chip);
  inputs.threads = options.threads;
  inputs.memory_wanted = options.memory;
  inputs.memory = options.initial;
  inputs.most_cycles = options.most_cycles;
  inputs.mode = options.mode;
  if (!simulator::check_exec(inputs, diagnostics))
    return std::nullopt;
  return inputs;
}

}  // namespace nplab::experiments
