#include "experiments/benches/activity_bench.h"

#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "experiments/benches/simulation_cost.h"
#include "support/temporary_folder.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

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
constexpr unsigned kFewRounds = 500, kManyRounds = 1500;

std::optional<SimulationCost> cost_of(const std::string& program, unsigned engines, unsigned rounds,
                                      Diagnostics& diagnostics) {
  const auto folder = TemporaryFolder::create("nplab-bench", diagnostics);
  if (!folder)
    return std::nullopt;
  const auto source = folder->path() / "busy.c", outcome = folder->path() / "outcome.json";
  std::ofstream(source) << kBusyProgram;
  const auto instructions = host_instructions(
      {program, "exec", source, "--chip", kChip, "--engines", std::to_string(engines), "--threads",
       "4", "-D", fmt::format("ROUNDS={}", rounds), "--json"},
      outcome, diagnostics);
  if (!instructions)
    return std::nullopt;
  const Json measured = Json::parse(std::ifstream(outcome));
  return SimulationCost{*instructions, measured.at("cycles").at("total").get<double>()};
}

std::optional<double> instructions_with(const std::string& program, unsigned engines,
                                        Diagnostics& diagnostics) {
  const auto shorter = cost_of(program, engines, kFewRounds, diagnostics);
  const auto longer = shorter ? cost_of(program, engines, kManyRounds, diagnostics) : std::nullopt;
  return instructions_per_cycle(shorter, longer);
}

}  // namespace

Json bench_activity(const std::string& program, Diagnostics& diagnostics) {
  const auto all = instructions_with(program, kEngines, diagnostics);
  const auto quarter = all ? instructions_with(program, kEngines / 4, diagnostics) : std::nullopt;
  if (!all || !quarter)
    return nullptr;
  return {{"schema", "nplab.bench.activity/1"},
          {"engines", kEngines},
          {"host_instructions_per_core_cycle", {{"busy_100_pct", *all}, {"busy_25_pct", *quarter}}},
          {"ratio", *all / *quarter}};
}

}  // namespace nplab::experiments
