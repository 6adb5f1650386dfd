#include "tests/simulator/bench/bench_chip.h"

#include <catch2/catch.hpp>

#include "tests/chip_text.h"

namespace nplab::test {

using namespace simulator;
namespace {

// What is fitted to published measurements; the tests' exact cycles are those of the rules without.
const std::vector<std::string> kUncalibrated{"sdram.reference_occupancy=0"};

ChipDescription described(const std::string& name, const std::vector<std::string>& settings) {
  Diagnostics diagnostics;
  auto root = chip_text(name, diagnostics);
  REQUIRE(root);
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    REQUIRE(root->set(setting.substr(0, equals), setting.substr(equals + 1), without_lines("--set"),
                      diagnostics));
  }
  auto chip = read_chip(*root, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(chip);
  return *chip;
}

}  // namespace

ChipDescription chip_description(const std::string& name,
                                 const std::vector<std::string>& overrides) {
  std::vector<std::string> settings = kUncalibrated;
  settings.insert(settings.end(), overrides.begin(), overrides.end());
  return described(name, settings);
}

ChipDescription shipped_chip(const std::string& name) {
  return described(name, {});
}

BenchChip::BenchChip(const ChipDescription& description)
    : chip(description, fbi, nullptr, watch, annotations) {}

void BenchChip::load(unsigned engine, const isa::ProgramImage& program, unsigned threads,
                     const std::vector<WordCost>& costs) {
  std::vector<ContextId> contexts;
  for (unsigned i = 0; i < threads; ++i)
    contexts.emplace_back(i);
  chip.engine(EngineId(engine)).load(program, contexts, costs);
}

void BenchChip::run_until(std::uint64_t end) {
  while (chip.now() < Cycle(end) && !watch.fault() && chip.parts().live_threads() > 0)
    chip.run_cycle();
  chip.parts().catch_up(chip.now());
  for (const Microengine* engine : chip.parts().engines) {
    const std::string broken = broken_sum(engine->counters(), chip.now().number());
    INFO("engine " << engine->id().index());
    REQUIRE(broken == "");
  }
}

void BenchChip::run(std::uint64_t most) {
  run_until(most);
  INFO((watch.fault() ? watch.fault()->message : std::string("no fault")));
  REQUIRE_FALSE(watch.fault());
  REQUIRE(chip.parts().live_threads() == 0);
}

}  // namespace nplab::test
