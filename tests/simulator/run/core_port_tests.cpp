// The core processor's port: references that queue with those of the engines.
#include <catch2/catch.hpp>

#include <map>

#include "simulator/run/simulation.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/mixed_load.h"
#include "tests/simulator/bench/mode_comparison.h"

namespace nplab::test {
namespace {

using namespace simulator;

struct Told {
  CoreReference reference;
  Cycle issued;
  std::optional<Cycle> written;
  Cycle completed;
  std::vector<std::uint32_t> read;
};

// Makes references one behind the other, each some cycles behind the one before.
class ListedReferences final : public CoreProgram {
 public:
  ListedReferences(std::vector<CoreReference> references, Cycles pause, Cycle first)
      : references_(std::move(references)), pause_(pause), first_(first) {}

  Step next(Cycle now) override {
    if (told.size() == references_.size())
      return {};
    told.push_back({references_[told.size()], std::max(first_, now + pause_), {}, {}, {}});
    return {told.back().issued, told.back().reference};
  }
  void written(Cycle at) override { told.back().written = at; }
  void completed(std::span<const std::uint32_t> longwords, Cycle at) override {
    told.back().completed = at;
    told.back().read.assign(longwords.begin(), longwords.end());
  }

  std::vector<Told> told;

 private:
  std::vector<CoreReference> references_;
  Cycles pause_;
  Cycle first_;
};

CoreReference write(isa::MemorySpace space, std::uint32_t address,
                    std::vector<std::uint32_t> longwords) {
  CoreReference reference{
      CoreReference::Direction::kWrite, space, address, unsigned(longwords.size()), {}};
  std::copy(longwords.begin(), longwords.end(), reference.longwords.begin());
  return reference;
}
CoreReference read(isa::MemorySpace space, std::uint32_t address, unsigned count) {
  return {CoreReference::Direction::kRead, space, address, count, {}};
}

// An engine that loops, so that the run goes on.
SimulationInputs with_core(CoreProgram& core, Cycle end) {
  SimulationInputs inputs;
  inputs.chip = chip_description("ixp1200");
  inputs.engines.emplace_back(LoadedProgram{program({br(If::kAlways, 0)}), {ContextId(0)}});
  inputs.core = &core;
  inputs.stop.at = end;
  return inputs;
}

constexpr auto kSram = isa::MemorySpace::kSram;
constexpr auto kSdram = isa::MemorySpace::kSdram;
constexpr auto kScratch = isa::MemorySpace::kScratch;

}  // namespace

TEST_CASE(
    "the references of the core take as long as an engine's, and what it writes is there for its "
    "next read") {
  ListedReferences core({write(kSram, 0x100, {1, 2, 3, 4, 5, 6, 7, 8}), read(kSram, 0x104, 2),
                         write(kSdram, 0x200, {9, 10, 11, 12}), write(kSdram, 0x204, {13}),
                         write(kSdram, 0x208, {14}), read(kSdram, 0x200, 4),
                         write(kScratch, 0x40, {15}), read(kScratch, 0x40, 1)},
                        20, Cycle(100));
  const auto result = simulate(with_core(core, Cycle(2000)), Kernel::kSystemC);
  REQUIRE_FALSE(result.fault);
  REQUIRE(core.told.size() == 8);
  CHECK(core.told[0].issued == Cycle(100));
  CHECK(core.told[1].read == std::vector<std::uint32_t>{2, 3});
  CHECK(core.told[5].read == std::vector<std::uint32_t>{9, 13, 14, 12});
  CHECK(core.told[7].read == std::vector<std::uint32_t>{15});
  // One longword of scratch takes 12 cycles on an idle chip, for an engine and for the core.
  CHECK(core.told[7].completed - core.told[7].issued == 12);
  for (std::size_t i = 0; i < core.told.size(); ++i) {
    const Told& one = core.told[i];
    CHECK(one.written.has_value() == (one.reference.direction == CoreReference::Direction::kWrite));
    if (one.written)
      CHECK((*one.written > one.issued && *one.written < one.completed));
    if (i > 0)
      CHECK(one.issued ==
            core.told[i - 1].completed + 21);  // free in the next cycle, and the pause
  }
  CHECK(result.sram.references == 2);
  CHECK(result.sdram.references == 4);
  CHECK(result.scratch.references == 2);
}

TEST_CASE("references of the core do not count as the engines' use of an area") {
  ListedReferences core({write(kSram, 0x100, {1}), read(kSram, 0x100, 1)}, 0, Cycle(10));
  auto inputs = with_core(core, Cycle(500));
  inputs.areas = {{kSram, 0x100, 16}};
  const auto result = simulate(inputs, Kernel::kNone);
  CHECK(result.sram.references == 2);
  CHECK(result.area_references == std::vector<std::uint64_t>{0});
}

TEST_CASE("a reference of the core outside its memory is a fault of the run") {
  ListedReferences core({write(kScratch, 0x10000, {1})}, 0, Cycle(10));
  const auto result = simulate(with_core(core, Cycle(500)), Kernel::kNone);
  REQUIRE(result.fault);
  CHECK_THAT(result.fault->message,
             Catch::Contains("by the core processor") && Catch::Contains("outside the memory"));
}

TEST_CASE("a chip of as many engines as the command bus has numbers for takes no core program") {
  ListedReferences core({}, 0, Cycle(10));
  auto inputs = with_core(core, Cycle(500));
  inputs.chip.engine.engines = kMostEngines;
  Diagnostics diagnostics;
  CHECK_FALSE(check_inputs(inputs, diagnostics));
  CHECK_THAT(diagnostics.to_string(),
             Catch::Contains("ixp1200 has 64 engines, and 63 are the most"));
}

TEST_CASE(
    "a core that writes and reads under load comes to the same end in windows and in lockstep") {
  std::vector<CoreReference> references;
  for (std::uint32_t i = 0; i < 400; ++i) {
    references.push_back(write(kSram, 0x8000 + 4 * (i % 64), {i, i + 1}));
    references.push_back(write(kSdram, 0x4000 + 8 * (i % 64), {i, i + 1, i + 2, i + 3}));
    references.push_back(read(kScratch, 4 * (i % 32), 4));
  }
  const auto make = [&] {
    PreparedRun run;
    auto core = std::make_shared<ListedReferences>(references, 7, Cycle(50));
    run.inputs = mixed_load(chip_description("ixp1200"));
    run.inputs.stop.at = Cycle(60'001);
    run.inputs.core = core.get();
    run.kept = core;
    return run;
  };
  CHECK(difference(make, in_windows, in_lockstep) == "");
}

TEST_CASE("the engines are held up by what the core writes") {
  SimulationInputs inputs = mixed_load(chip_description("ixp1200"));
  inputs.stop.at = Cycle(60'001);
  const auto alone = simulate(inputs, Kernel::kNone);
  std::vector<CoreReference> references(2000, write(kSram, 0x8000, {1, 2, 3, 4, 5, 6, 7, 8}));
  ListedReferences core(references, 0, Cycle(50));
  inputs.core = &core;
  const auto together = simulate(inputs, Kernel::kNone);
  REQUIRE(core.told.size() > 200);
  const auto instructions = [](const SimulationResult& result) {
    std::uint64_t sum = 0;
    for (const EngineCounters& engine : result.engines)
      sum += engine.executing;
    return sum;
  };
  CHECK(instructions(together) < instructions(alone));
  CHECK(together.sram.active_cycles > alone.sram.active_cycles);
}

}  // namespace nplab::test
