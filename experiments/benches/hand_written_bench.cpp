#include "experiments/benches/hand_written_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "experiments/benches/bench_kernels.h"
#include "experiments/benches/hand_written_kernels.h"
#include "experiments/run/program_run.h"
#include "simulator/run/exec.h"
#include "support/temporary_folder.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

const BenchKernel& kernel_in_c(std::string_view name) {
  return *std::ranges::find(bench_kernels(), name, &BenchKernel::name);
}

// The barrier hides the values of p and n from the compiler.
std::string program_in_c(const HandWrittenKernel& kernel) {
  const BenchKernel& c = kernel_in_c(kernel.name);
  return fmt::format(
      "#include \"microengine.h\"\n#define MEMORY __sram\nstatic {}\nint main(void) {{\n  u32 p = "
      "{:#x}, n = {:#x};\n  __asm__ volatile(\"\" : \"+r\"(p), \"+r\"(n));\n  return {};\n}}\n",
      c.source.substr(1), kernel.p, kernel.n, c.call);
}

std::string program_in_assembly(const HandWrittenKernel& kernel) {
  return fmt::format(
      "        immed[a0, {}]\n        immed_w1[a0, {}]\n        immed[a1, {}]\n        "
      "immed_w1[a1, {}]\n{}        ctx_arb[kill]\n",
      kernel.p & 0xffff, kernel.p >> 16, kernel.n & 0xffff, kernel.n >> 16,
      kernel.source.substr(1));
}

std::optional<simulator::ExecResult> run(const HandWrittenKernel& kernel, const std::string& source,
                                         const char* extension, Diagnostics& diagnostics) {
  const auto folder = TemporaryFolder::create("nplab-kernel", diagnostics);
  if (!folder)
    return std::nullopt;
  ProgramRunOptions options;
  options.file = (folder->path() / (std::string(kernel.name) + extension)).string();
  std::ofstream(options.file) << source;
  for (std::uint32_t i = 0; i != kernel.longwords; ++i)
    options.initial.push_back({isa::MemorySpace::kSram, kernel.p + 4 * i, kernel.longword(i)});
  compiler::CompileReport report;
  const auto inputs = prepare_program_run(options, {}, report, diagnostics);
  if (!inputs)
    return std::nullopt;
  const auto result = simulator::exec(*inputs);
  if (!result.ended || result.fault) {
    diagnostics.error(without_lines(options.file), "does not come to its end");
    return std::nullopt;
  }
  return result;
}

}  // namespace

Json bench_hand_written(Diagnostics& diagnostics) {
  Json rows = Json::array();
  for (const HandWrittenKernel& kernel : hand_written_kernels()) {
    const auto compiled = run(kernel, program_in_c(kernel), ".c", diagnostics);
    const auto by_hand = run(kernel, program_in_assembly(kernel), ".s", diagnostics);
    if (!compiled || !by_hand)
      return nullptr;
    if (compiled->return_value != by_hand->return_value) {
      diagnostics.error(without_lines(std::string(kernel.name)),
                        fmt::format("gives {:#x} in C and {:#x} by hand", compiled->return_value,
                                    by_hand->return_value));
      return nullptr;
    }
    rows.push_back(
        {{"kernel", kernel.name},
         {"compiled", compiled->cycles},
         {"by_hand", by_hand->cycles},
         {"ratio", static_cast<double>(compiled->cycles) / static_cast<double>(by_hand->cycles)}});
  }
  return {{"level", "2"}, {"unit", "cycles"}, {"kernels", rows}};
}

}  // namespace nplab::experiments
