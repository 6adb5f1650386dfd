#include "tests/simulator/microbenchmarks/microbenchmark.h"

#include <catch2/catch.hpp>

namespace nplab::test {

using namespace simulator;
namespace {

std::uint64_t references_before(Cycles end, CountedUnit unit, Word reference,
                                unsigned odd_address) {
  SimulationInputs inputs;
  inputs.chip = shipped_ixp1200();
  for (unsigned engine = 0; engine < inputs.chip.engine.engines; ++engine) {
    const unsigned address = engine % 2 == 0 ? 0 : odd_address;
    inputs.engines.emplace_back(
        LoadedProgram{program({immed(a(1), address), reference, br(If::kAlways, 1)}),
                      {ContextId(0), ContextId(1), ContextId(2), ContextId(3)}});
  }
  inputs.stop.at = Cycle(end);
  inputs.watchdog = 0;
  const SimulationResult result = simulate(inputs, Kernel::kNone);
  switch (unit) {
    case CountedUnit::kSram: return result.sram.references;
    case CountedUnit::kSdram: return result.sdram.references;
    case CountedUnit::kScratch: break;
  }
  return result.scratch.references;
}

}  // namespace

ChipDescription shipped_ixp1200() {
  return shipped_chip("ixp1200");
}

Cycles cycles_of(const TimedProgram& timed, const ChipDescription& chip) {
  SimulationInputs inputs;
  inputs.chip = chip;
  isa::ProgramImage image = program(timed.words);
  for (const unsigned pc : {timed.begin, timed.end})
    image.annotations.push_back({pc, isa::Annotation::Kind::kConsoleHex, value(0), value(0)});
  inputs.engines.emplace_back(LoadedProgram{image, {ContextId(0)}});
  if (!timed.beside.empty())
    inputs.engines.emplace_back(LoadedProgram{program(timed.beside), {ContextId(0)}});
  AnnotationLog marks;
  inputs.console = &marks;
  const SimulationResult result = simulate(inputs, Kernel::kNone);
  INFO((result.fault ? result.fault->message : std::string("no fault")));
  REQUIRE_FALSE(result.fault);
  REQUIRE(marks.entries.size() == 2);
  return marks.entries[1].at - marks.entries[0].at;
}

Cycles end_to_end(Word reference, unsigned delay) {
  TimedProgram timed;
  timed.words.assign(delay + 1, nop());
  timed.words.push_back(reference);
  timed.words.push_back(nop());
  timed.words.push_back(kill());
  timed.begin = delay;
  timed.end = delay + 2;
  return cycles_of(timed);
}

std::uint64_t saturated_references(CountedUnit unit, Cycles cycles, Word reference,
                                   unsigned odd_address) {
  constexpr Cycles kFull = 2'000;  // all threads have sent by then
  return references_before(kFull + cycles, unit, reference, odd_address) -
         references_before(kFull, unit, reference, odd_address);
}

}  // namespace nplab::test
