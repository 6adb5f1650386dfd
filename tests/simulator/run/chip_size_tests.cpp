// Chips of other sizes than the reference chip's: engines, contexts.
#include <catch2/catch.hpp>

#include "simulator/run/simulation.h"
#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using namespace simulator;

// local_csr_rd[dst, active_ctx] and [dst, engine]
Word active_context(Code dst) {
  return field(25, 58) | field(dst, 47);
}
Word engine_number(Code dst) {
  return active_context(dst) | field(1, 25);
}

SimulationInputs inputs_of(const ChipDescription& chip, const isa::ProgramImage& image) {
  SimulationInputs inputs;
  inputs.chip = chip;
  LoadedProgram program{image, {}};
  for (unsigned i = 0; i < chip.engine.contexts; ++i)
    program.contexts.emplace_back(i);
  inputs.engines.assign(chip.engine.engines, program);
  return inputs;
}

}  // namespace

TEST_CASE("eight contexts take turns, each with registers of its own") {
  BenchChip bench(chip_description("ixp1200", {"engine.contexts=8"}));
  bench.load(0, program({active_context(a(0)), nop(), yield(), move(b(0), a(0)), kill()}), 8);
  bench.run();
  for (unsigned context = 0; context < 8; ++context)
    CHECK(bench.reg(b(0), context) == context);
  // Three instructions and a shadow each, then two and a shadow each, behind the fill of three
  // cycles.
  CHECK(bench.chip.now() == Cycle(3 + 8 * 4 + 8 * 3));
  CHECK(bench.counters().idle == 3);
}

TEST_CASE("one context goes on alone after each of its swaps") {
  BenchChip bench(chip_description("ixp1200", {"engine.contexts=1"}));
  bench.load(0, program({yield(), yield(), kill()}));
  bench.run();
  CHECK(bench.counters().executing == 3);
  CHECK(bench.counters().aborted == 3);
  CHECK(bench.counters().idle == 3);
}

TEST_CASE("64 engines of 8 contexts reach the memories, and every thread can be signalled") {
  const auto chip = chip_description("ixp1200", {"engine.engines=64", "engine.contexts=8"});
  // Each thread counts itself, then signals the thread of the same context in the next engine:
  // engine x 8 + context.
  const auto image =
      program({engine_number(a(0)), active_context(b(0)), alu(a(1), a(0), Alu::kAdd, value(1)),
               alu_shf(a(1), none, Alu::kB, a(1), 1, 26), alu_shf(a(1), none, Alu::kB, a(1), 2, 23),
               alu(a(1), a(1), Alu::kAdd, b(0)),
               reference({ReferenceUnit::kScratch, 6, none, value(0), value(0), 1}),
               fast_wr(a(1), isa::ControlStatusRegister::kInterThreadSignal),
               ctx_arb(isa::Event::kInterThread),
               reference({ReferenceUnit::kScratch, 6, none, value(4), value(0), 1}), kill()});
  auto inputs = inputs_of(chip, image);
  std::uint32_t counted[2]{};
  inputs.inspect = [&](const ChipParts& parts) {
    for (unsigned i = 0; i < 2; ++i)
      counted[i] = parts.scratch->storage().peek(4 * i);
  };
  const auto plain = simulate(inputs, Kernel::kNone);
  INFO((plain.fault ? plain.fault->message : std::string()));
  REQUIRE_FALSE(plain.fault);
  REQUIRE_FALSE(plain.deadlock);
  CHECK(counted[0] == 512);
  CHECK(counted[1] == 512);
  CHECK(simulate(inputs, Kernel::kSystemC).state_hash == plain.state_hash);
}

TEST_CASE("a thread number that the chip does not have is a fault, whatever the field could hold") {
  for (const unsigned number : {24u, 26u, 511u}) {
    const auto chip = chip_description("ixp1200", {});
    const auto result = simulate(
        inputs_of(chip, program({immed(a(0), number),
                                 fast_wr(a(0), isa::ControlStatusRegister::kInterThreadSignal),
                                 ctx_arb(isa::Event::kInterThread), kill()})),
        Kernel::kNone);
    REQUIRE(result.fault);
    CHECK(result.fault->message.find("names thread " + std::to_string(number)) !=
          std::string::npos);
  }
  // Two contexts: numbers go on in fours, so that 2 and 3 of each four are nobody's.
  const auto chip = chip_description("ixp1200", {"engine.contexts=2"});
  const auto result = simulate(
      inputs_of(chip, program({immed(a(0), 6),
                               fast_wr(a(0), isa::ControlStatusRegister::kInterThreadSignal),
                               ctx_arb(isa::Event::kInterThread), kill()})),
      Kernel::kNone);
  REQUIRE(result.fault);
  CHECK(result.fault->message.find("names thread 6") != std::string::npos);
}

TEST_CASE("a context that the chip does not have is refused before the run") {
  auto inputs = inputs_of(chip_description("ixp1200", {"engine.contexts=2"}), program({kill()}));
  inputs.engines[0]->contexts.emplace_back(2);
  Diagnostics diagnostics;
  CHECK_FALSE(check_inputs(inputs, diagnostics));
  CHECK(diagnostics.to_string().find(
            "thread 2 does not exist: an engine of the chip ixp1200 has 2") != std::string::npos);
}

}  // namespace nplab::test
