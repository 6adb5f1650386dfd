#include "tools/commands/bench_activity.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iostream>
#include <optional>
#include <string>

#include "experiments/run/measured_process.h"
#include "tools/commands/commands.h"

namespace nplab::tools {

using namespace experiments;
namespace {

// Work and references to memory that keep an engine of four threads busy.
constexpr const char* kBusyProgram = R"(#include <microengine.h>
int main(void) {
  __sram u32* table = (__sram u32*)0x1000;
  u32 sum = 0;
  for (u32 round = 0; round < ROUNDS; round++) {
    sum += sram_read(table);
    for (u32 i = 0; i < 8; i++) sum = (sum << 1) ^ round;
  }
  return sum == 12345;
}
)";

constexpr const char* kChip = "cmp";
constexpr unsigned kEngines = 8;

std::optional<SimulationCost> cost_of(unsigned engines, unsigned rounds) {
  const ResultFolder folder;
  const auto source = folder.path() / "busy.c", outcome = folder.path() / "outcome.json";
  std::ofstream(source) << kBusyProgram;
  const auto instructions = host_instructions(
      {this_program(), "exec", source, "--chip", kChip, "--engines", std::to_string(engines),
       "--threads", "4", "-D", fmt::format("ROUNDS={}", rounds), "--json"},
      outcome);
  if (!instructions)
    return std::nullopt;
  const auto cycles =
      nlohmann::json::parse(std::ifstream(outcome)).at("cycles").at("total").get<double>();
  return SimulationCost{*instructions, cycles};
}

int bench_activity() {
  const auto with = [](unsigned engines) {
    return instructions_a_cycle(cost_of(engines, 500), cost_of(engines, 1500));
  };
  const auto all = with(kEngines), quarter = with(kEngines / 4);
  if (!all || !quarter) {
    std::cerr
        << "nplab: error: host instructions cannot be counted; install the package valgrind\n";
    return kBadInput;
  }
  const nlohmann::ordered_json result{
      {"schema", "nplab.bench.activity/1"},
      {"engines", kEngines},
      {"host_instructions_per_core_cycle", {{"busy_100_pct", *all}, {"busy_25_pct", *quarter}}},
      {"ratio", *all / *quarter}};
  std::cout << result.dump(2) << '\n';
  return kDone;
}

}  // namespace

void add_bench_activity_command(CLI::App& bench, int& status) {
  auto* command = bench.add_subcommand(
      "activity", "Count host instructions with all engines busy and with a quarter, as JSON");
  command->footer(
      "Needs valgrind. The same program runs on all eight engines of a chip multiprocessor, and on "
      "two.");
  command->callback([&status] { status = bench_activity(); });
}

}  // namespace nplab::tools
