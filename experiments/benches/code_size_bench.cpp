#include "experiments/benches/code_size_bench.h"

#include <fmt/format.h>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "experiments/benches/bench_kernels.h"
#include "experiments/prepare/compile_options.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

// Words of a program that makes two values, shows them, which costs nothing, and returns an
// expression over them.
std::optional<unsigned> words_of_program(const BenchKernel& kernel, std::string_view result,
                                         Diagnostics& diagnostics) {
  const std::string source = fmt::format(
      "#include \"microengine.h\"\n#define MEMORY __sram\nstatic {}\nint main(void) {{\n  u32 p = "
      "ctx() * 64, n = "
      "cycle_count();\n  console_hex(p);\n  console_hex(n);\n  return {};\n}}\n",
      kernel.source.substr(1), result);
  compiler::CompileOptions options;
  options.optimization = compiler::Optimization::kOs;
  options.include_directories = library_folders();
  compiler::CompileReport report;
  if (!compiler::compile_to_object(source, std::string(kernel.name) + ".c", options, diagnostics,
                                   &report))
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

// Instructions in assembly: its lines that are indented and begin with a small letter.
unsigned count_instructions(const std::string& assembly) {
  std::istringstream lines(assembly);
  unsigned instructions = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > 1 && line[0] == '\t' && std::islower(static_cast<unsigned char>(line[1])))
      ++instructions;
  }
  return instructions;
}

// Another machine, by its name in the result, and clang's options for it.
struct OtherMachine {
  const char* name;
  std::vector<std::string> options;
};

const std::array<OtherMachine, 2>& other_machines() {
  static const std::array<OtherMachine, 2> machines{
      {{"thumb2", {"--target=thumbv7m-none-eabi"}},
       {"rv32imc", {"--target=riscv32-unknown-elf", "-march=rv32imc", "-mabi=ilp32"}}}};
  return machines;
}

// Instructions in the assembly that clang-19 writes at -Os; nothing when it is not installed or
// does not know the machine.
std::optional<unsigned> clang_instructions(const BenchKernel& kernel, const OtherMachine& machine) {
  Diagnostics not_available;
  const auto folder = TemporaryFolder::create("nplab-kernel", not_available);
  if (!folder)
    return std::nullopt;
  const std::string source = (folder->path() / "kernel.c").string();
  std::ofstream(source) << "typedef __UINT64_TYPE__ u64; typedef unsigned u32; typedef unsigned "
                           "short u16; typedef unsigned char u8;\n#define MEMORY\n"
                        << kernel.source << '\n';
  std::vector<std::string> command{"clang-19"};
  command.insert(command.end(), machine.options.begin(), machine.options.end());
  command.insert(command.end(), {"-Os", "-ffreestanding", "-fno-asynchronous-unwind-tables", "-w",
                                 "-S", "-o", "-", source});
  const auto result = run_successfully({.command = command}, not_available);
  return result ? std::optional(count_instructions(result->out)) : std::nullopt;
}

}  // namespace

Json bench_code_size(Diagnostics& diagnostics) {
  const auto& machines = other_machines();
  Json sizes{{"level", "s"}, {"unit", "instructions"}, {"kernels", Json::array()}};
  double logarithms[2] = {0, 0};
  bool complete = true;
  for (const BenchKernel& kernel : bench_kernels()) {
    const auto ours = our_words(kernel, diagnostics);
    if (!ours)
      return nullptr;
    Json row{{"kernel", kernel.name}, {"microengine", *ours}};
    for (std::size_t i = 0; i != machines.size(); ++i) {
      const auto other = clang_instructions(kernel, machines[i]);
      row[machines[i].name] = other ? Json(*other) : Json(nullptr);
      complete &= other.has_value();
      if (other)
        logarithms[i] += std::log(static_cast<double>(*ours) / *other);
    }
    sizes["kernels"].push_back(row);
  }
  for (std::size_t i = 0; i != machines.size(); ++i) {
    const auto count = static_cast<double>(bench_kernels().size());
    sizes["mean_ratio"][machines[i].name] =
        complete ? Json(std::exp(logarithms[i] / count)) : Json(nullptr);
  }
  return sizes;
}

}  // namespace nplab::experiments
