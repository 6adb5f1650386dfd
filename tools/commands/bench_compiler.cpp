#include "tools/commands/bench_compiler.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <unistd.h>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/benches/bench_kernels.h"
#include "experiments/prepare/experiment.h"
#include "experiments/run/isolated_runs.h"
#include "experiments/run/simulate.h"
#include "tools/commands/commands.h"
#include "tools/options/compile_options.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMappings[] = {"ls", "bv1"};  // those with targets
constexpr const char* kLevels[] = {"published", "2", "s"};
constexpr unsigned kFirstClassifier = 1,
                   kLastClassifier = 4;  // engines of the published experiment

ExperimentOptions options_at(const char* level, std::uint64_t packets) {
  ExperimentOptions options;
  options.set = {std::string("optimize=") + level};
  options.arrival = "lossless";
  options.packets = packets;
  return options;
}

// Executed and aborted cycles a classified packet of engines 1 to 4 outside of poll loops, and the
// largest program.
Json cycles_at(const char* mapping, const char* level, std::uint64_t packets,
               Diagnostics& diagnostics) {
  const auto experiment = prepare_experiment(mapping, options_at(level, packets), diagnostics);
  const auto programs = experiment ? compile_programs(*experiment, diagnostics) : std::nullopt;
  if (!programs)
    return nullptr;
  std::size_t broken = 0;
  const auto records = run_isolated(
      {[&](const Progress& progress) {
        Diagnostics found;
        return simulate({*experiment, *programs, "", progress, std::nullopt}, found);
      }},
      [](double) {}, broken);
  if (!records || records->front().failure || records->front().packets.classified == 0)
    return nullptr;
  std::uint64_t executing = 0, aborted = 0, words = 0;
  for (const reports::Line& line : records->front().lines) {
    if (line.engine < kFirstClassifier || line.engine > kLastClassifier || line.poll)
      continue;
    executing += line.executing;
    aborted += line.aborted;
  }
  for (const reports::Engine& engine : records->front().engines) {
    if (engine.id >= kFirstClassifier && engine.id <= kLastClassifier)
      words = std::max<std::uint64_t>(words, engine.words);
  }
  const auto packets_classified = static_cast<double>(records->front().packets.classified);
  return {{"executed", static_cast<double>(executing) / packets_classified},
          {"aborted", static_cast<double>(aborted) / packets_classified},
          {"words", words}};
}

double cut(double before, double after) {
  return 1 - after / before;
}

Json experiment_table(std::uint64_t packets, Diagnostics& diagnostics) {
  Json table{
      {"packets", packets}, {"arrival", "lossless"}, {"engines", "1-4, poll loops left out"}};
  for (const char* mapping : kMappings) {
    Json rows;
    for (const char* level : kLevels) {
      rows[level] = cycles_at(mapping, level, packets, diagnostics);
      if (rows[level].is_null())
        return nullptr;
    }
    const Json &published = rows["published"], &ours = rows["2"];
    const double aborted = published["aborted"],
                 both = published["executed"].get<double>() + aborted;
    rows["cut"] = {{"aborted", cut(aborted, ours["aborted"])},
                   {"executed_and_aborted",
                    cut(both, ours["executed"].get<double>() + ours["aborted"].get<double>())},
                   {"words", cut(published["words"], ours["words"])}};
    table["mappings"][mapping] = rows;
  }
  return table;
}

// Seconds to compile all programs of a mapping, the best of three.
Json compile_times(Diagnostics& diagnostics) {
  Json times;
  for (const char* mapping : kMappings)
    for (const char* level : {"published", "2"}) {
      const auto experiment = prepare_experiment(mapping, options_at(level, 1), diagnostics);
      double best = 0;
      for (int round = 0; experiment && round != 3; ++round) {
        const auto started = std::chrono::steady_clock::now();
        if (!compile_programs(*experiment, diagnostics))
          return nullptr;
        const double took =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        best = round == 0 ? took : std::min(best, took);
      }
      times[mapping][level] = best;
    }
  return times;
}

// Words of a program that makes two values, shows them, which costs nothing, and returns an
// expression over them.
std::optional<unsigned> words_of_program(const BenchKernel& kernel, std::string_view result,
                                         Diagnostics& diagnostics) {
  const std::string source = fmt::format(
      "#include \"microengine.h\"\n#define MEMORY __sram\nstatic {}\nint main(void) {{\n  u32 p = "
      "ctx() * 64, n = "
      "cycle_count();\n  console_hex(p);\n  console_hex(n);\n  return {};\n}}\n",
      kernel.source.substr(1), result);
  CompileOptionWords words;
  words.optimization = "s";
  auto options = compile_options_of(words, diagnostics);
  compiler::CompileReport report;
  if (!options || !compiler::compile_to_object(source, std::string(kernel.name) + ".c", *options,
                                               diagnostics, &report))
    return std::nullopt;
  return report.words;
}

// What the kernel adds to such a program, with the move of its result in place, which the others'
// functions have too.
std::optional<unsigned> our_words(const BenchKernel& kernel, Diagnostics& diagnostics) {
  const auto with = words_of_program(kernel, kernel.call, diagnostics);
  const auto without =
      words_of_program(kernel, "0", diagnostics);  // of these one word is the result
  return with && without ? std::optional(*with - (*without - 1)) : std::nullopt;
}

// Instructions in the assembly that clang-19 writes at -Os; nothing when it is not installed.
std::optional<unsigned> clang_instructions(const BenchKernel& kernel, const char* target) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("nplab-kernel-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const std::string source = (folder / "kernel.c").string();
  std::ofstream(source) << "typedef unsigned u32; typedef unsigned short u16; typedef unsigned "
                           "char u8;\n#define MEMORY\n"
                        << kernel.source << '\n';
  const std::string command = fmt::format(
      "clang-19 {} -Os -ffreestanding -fno-asynchronous-unwind-tables -w -S -o - {} 2>/dev/null",
      target, source);
  unsigned instructions = 0;
  int status = -1;
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    char line[512];
    while (std::fgets(line, sizeof line, pipe))
      if (line[0] == '\t' && std::islower(static_cast<unsigned char>(line[1])))
        ++instructions;
    status = ::pclose(pipe);
  }
  std::filesystem::remove_all(folder);
  return status == 0 ? std::optional(instructions) : std::nullopt;
}

Json code_sizes(Diagnostics& diagnostics) {
  struct Other {
    const char* name;
    const char* target;
  };
  constexpr Other kOthers[] = {
      {"thumb2", "--target=thumbv7m-none-eabi"},
      {"rv32imc", "--target=riscv32-unknown-elf -march=rv32imc -mabi=ilp32"}};
  Json sizes{{"level", "s"}, {"unit", "instructions"}, {"kernels", Json::array()}};
  double logarithms[2] = {0, 0};
  bool complete = true;
  for (const BenchKernel& kernel : bench_kernels()) {
    const auto ours = our_words(kernel, diagnostics);
    if (!ours)
      return nullptr;
    Json row{{"kernel", kernel.name}, {"microengine", *ours}};
    for (std::size_t i = 0; i != std::size(kOthers); ++i) {
      const auto other = clang_instructions(kernel, kOthers[i].target);
      row[kOthers[i].name] = other ? Json(*other) : Json(nullptr);
      complete &= other.has_value();
      if (other)
        logarithms[i] += std::log(static_cast<double>(*ours) / *other);
    }
    sizes["kernels"].push_back(row);
  }
  for (std::size_t i = 0; i != std::size(kOthers); ++i) {
    const auto count = static_cast<double>(bench_kernels().size());
    sizes["mean_ratio"][kOthers[i].name] =
        complete ? Json(std::exp(logarithms[i] / count)) : Json(nullptr);
  }
  return sizes;
}

int bench_compiler(std::uint64_t packets) {
  Diagnostics diagnostics;
  Json result{{"schema", "nplab.bench_compiler/1"}};
  result["compile_s"] = compile_times(diagnostics);
  result["code_size"] = code_sizes(diagnostics);
  result["published_experiment"] = experiment_table(packets, diagnostics);
  std::cerr << diagnostics.to_string();
  std::cout << result.dump(2) << '\n';
  for (const auto& [name, part] : result.items())
    if (part.is_null())
      return kBadInput;
  return kDone;
}

}  // namespace

void add_bench_compiler_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand("compiler",
                                       "Measure the compiler: cycles of the published experiment "
                                       "by level, compile time, code size, as JSON");
  auto packets = std::make_shared<std::uint64_t>(2000);
  command->add_option("--packets", *packets, "length of the runs [2000]")->type_name("N");
  command->callback([packets, &status] { status = bench_compiler(*packets); });
}

}  // namespace nplab::tools
