// nplab cc, as and objdump: microengine C, assembly and objects.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "compiler/compiler.h"
#include "experiments/prepare/chip_file.h"
#include "experiments/prepare/compile_options.h"
#include "experiments/prepare/data_files.h"
#include "isa/assembly/assembler.h"
#include "isa/assembly/disassembler.h"
#include "isa/assembly/object_loader.h"
#include "simulator/parameters/chip_description.h"
#include "support/input_file.h"
#include "tools/commands/commands.h"
#include "tools/options/compile_options.h"
#include "tools/output/output_file.h"

namespace nplab::tools {
namespace {

namespace fs = std::filesystem;

struct TranslateOptions {
  std::string file;
  std::string output;
  bool assembly = false;
  bool report = false;
  std::string chip;         // whose control store the program must fit; empty: "test"
  std::uint32_t words = 0;  // of the control store; 0: the chip's
  CompileOptionWords compile;
  BoundWords bounds;  // of as
};

constexpr const char* kDefaultChip = "test";

// The engine that the program is for.
void use_chip(const TranslateOptions& options, compiler::CompileOptions& compile,
              Diagnostics& diagnostics) {
  const std::string& name = options.chip.empty() ? kDefaultChip : options.chip;
  const auto path = experiments::find_data_file(experiments::DataKind::kChip, name,
                                                without_lines("--chip"), diagnostics);
  const auto text = path ? experiments::read_chip_text(*path, diagnostics) : std::nullopt;
  const auto chip = text ? simulator::read_chip(text->root, diagnostics) : std::nullopt;
  if (!chip)
    return;
  compile.control_store_words =
      options.words == 0 ? chip->engine.control_store_words : options.words;
  compile.frame.contexts = chip->engine.contexts;
  experiments::add_thread_bits(chip->engine.contexts, compile);
}

int finish(const std::optional<std::string>& result, const std::string& output,
           Diagnostics& diagnostics) {
  if (result && !diagnostics.has_errors())
    write_output_file(output, *result, diagnostics);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

std::string default_output(const TranslateOptions& options, const char* extension) {
  return options.output.empty() ? fs::path(options.file).stem().string() + extension
                                : options.output;
}

// Which functions are called instead of being part of their callers; nothing if none is.
std::string calls_text(const std::vector<compiler::CallReport>& calls) {
  std::string text;
  for (const compiler::CallReport& call : calls)
    text += fmt::format("{}{} from {} place{}", text.empty() ? "called: " : ", ", call.name,
                        call.places, call.places == 1 ? "" : "s");
  return text.empty() ? text : text + "\n";
}

// A line a function, the largest first, then the program's.
std::string report_text(compiler::CompileReport report) {
  std::stable_sort(report.functions.begin(), report.functions.end(),
                   [](const auto& a, const auto& b) { return a.words > b.words; });
  constexpr const char* kRow = "{:<28} {:>6} {:>10} {:>6} {:>10} {:>6} {:>12} {:>18}\n";
  std::string text = fmt::format(fmt::runtime(kRow), "function", "words", "references", "bursts",
                                 "overlapped", "spills", "filled slots", "predicted branches");
  for (const compiler::FunctionReport& function : report.functions) {
    text += fmt::format(fmt::runtime(kRow), function.name, function.words, function.references,
                        function.bursts, function.overlapped, function.spills,
                        function.filled_slots, function.guessed_branches);
  }
  const compiler::RegistersUsed& used = report.registers;
  return text + calls_text(report.calls) +
         fmt::format(
             "program: {} words, {} bytes of frame per thread, {} of 32 registers reserved\n",
             report.words, report.frame_bytes, report.reserved_registers) +
         fmt::format(
             "registers: {} of bank A, {} of bank B; transfer: {} SRAM read, {} SRAM write, {} "
             "SDRAM read, {} "
             "SDRAM write\n",
             used.bank_a, used.bank_b, used.sram_read, used.sram_write, used.sdram_read,
             used.sdram_write);
}

int compile(const TranslateOptions& options) {
  Diagnostics diagnostics;
  const auto file = read_input_file(options.file, diagnostics);
  auto compile_options = compile_options_of(options.compile, diagnostics);
  if (compile_options)
    use_chip(options, *compile_options, diagnostics);
  if (!file || !compile_options || diagnostics.has_errors())
    return finish(std::nullopt, "", diagnostics);
  compiler::CompileReport report;
  const auto translate =
      options.assembly ? compiler::compile_to_assembly : compiler::compile_to_object;
  const auto result = translate(file->bytes, options.file, *compile_options, diagnostics, &report);
  std::cerr << messages_text(report);
  if (options.report && result)
    std::cerr << report_text(report);
  const std::string output =
      options.assembly && options.output.empty() ? "-" : default_output(options, ".o");
  return finish(result, output, diagnostics);
}

int assemble(const TranslateOptions& options) {
  Diagnostics diagnostics;
  const auto file = read_input_file(options.file, diagnostics);
  if (!file)
    return finish(std::nullopt, "", diagnostics);
  return finish(isa::assemble(file->bytes, options.file, diagnostics, {}, options.bounds.bounds()),
                default_output(options, ".o"), diagnostics);
}

int disassemble(const TranslateOptions& options) {
  Diagnostics diagnostics;
  const auto file = read_input_file(options.file, diagnostics);
  const auto image =
      file ? isa::load_object(file->bytes, options.file, {}, diagnostics) : std::nullopt;
  if (!image)
    return finish(std::nullopt, "", diagnostics);
  return finish(isa::disassemble(*image), "-", diagnostics);
}

}  // namespace

void add_cc_command(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("cc", "Compile microengine C to an object, or with -S to assembly");
  auto options = std::make_shared<TranslateOptions>();
  command->add_option("FILE", options->file, "C source")->required();
  command->add_flag("-S", options->assembly,
                    "write assembly, to standard output unless -o is given");
  command->add_option("-o", options->output, "output file [FILE's name with .o]")
      ->type_name("FILE");
  command->add_flag("--report", options->report,
                    "report on standard error what each function became");
  command->add_option("--chip", options->chip, "chip whose control store it must fit [test]")
      ->type_name("FILE|NAME");
  constexpr std::uint32_t kMostWords = 65536;  // that an instruction can address
  command
      ->add_option("--words", options->words,
                   "words of the control store that it must fit [the chip's]")
      ->type_name("N")
      ->check(CLI::Range(std::uint32_t{1}, kMostWords));
  add_compile_options(*command, options->compile);
  command->callback([options, &status] { status = compile(*options); });
}

void add_as_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("as", "Assemble to an object");
  auto options = std::make_shared<TranslateOptions>();
  command->add_option("FILE", options->file, "assembly source")->required();
  command->add_option("-o", options->output, "output file [FILE's name with .o]")
      ->type_name("FILE");
  add_bound_options(*command, options->bounds);
  command->callback([options, &status] { status = assemble(*options); });
}

void add_objdump_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("objdump", "Disassemble an object, with source lines");
  auto options = std::make_shared<TranslateOptions>();
  command->add_option("FILE", options->file, "object")->required();
  command->callback([options, &status] { status = disassemble(*options); });
}

}  // namespace nplab::tools
