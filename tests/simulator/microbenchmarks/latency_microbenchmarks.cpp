// What one reference on the idle chip takes from the instruction before it to the one after it:
//     1  from the instruction before to the reference, which is issued in cycle i
//     1  granted by the command bus in i + 1
//     2  command_bus.latency: it arrives in its unit's queue
//     .. in the unit, until the event
//     1  an event with time stamp d is seen in d + 1
//     3  engine.pipeline.wake_up_cycles: the next instruction passes P0 to P2
// So 8 cycles and those in the unit. The memories run at half the core's clock: a reference that
// arrives in an odd cycle waits for the next even one. Their event is as much later.
#include <catch2/catch.hpp>

#include <set>

#include "tests/simulator/microbenchmarks/microbenchmark.h"

namespace nplab::test {
namespace {

using simulator::Cycles;

constexpr Cycles kOutsideUnit = 1 + 1 + 2 + 1 + 3;

Word access(ReferenceUnit unit, unsigned command, unsigned count) {
  const Code transfer = unit == ReferenceUnit::kSdram ? sdram_transfer(0) : sram_transfer(0);
  return reference({unit, command, transfer, value(0), value(0), count});
}
constexpr unsigned kRead = 0, kWrite = 1, kIncrement = 6;

// In either half of the memory's clock.
std::set<Cycles> taken(Word word) {
  return {end_to_end(word, 0), end_to_end(word, 1)};
}
std::set<Cycles> either(Cycles in_unit) {
  return {kOutsideUnit + in_unit, kOutsideUnit + in_unit + 1};
}

}  // namespace

TEST_CASE("an SRAM read of 1 or 8 longwords takes 22 to 23 or 36 to 37 cycles end to end") {
  // pipeline_latency 6, bus_cycles 2 per longword, push_latency 6
  CHECK(taken(access(ReferenceUnit::kSram, kRead, 1)) == either(6 + 2 + 6));
  CHECK(taken(access(ReferenceUnit::kSram, kRead, 8)) == either(6 + 16 + 6));
  CHECK(either(6 + 2 + 6) == std::set<Cycles>{22, 23});
  CHECK(either(6 + 16 + 6) == std::set<Cycles>{36, 37});
}

TEST_CASE("an SDRAM read of 1 to 4 quadwords takes 42 to 49 cycles end to end") {
  // pipeline_latency 18, reference_occupancy 3, bus_cycles 2 per quadword, push_latency 11
  for (unsigned quadwords = 1; quadwords <= 4; ++quadwords)
    CHECK(taken(access(ReferenceUnit::kSdram, kRead, quadwords)) ==
          either(18 + 3 + 2 * quadwords + 11));
  CHECK(either(18 + 3 + 2 + 11) == std::set<Cycles>{42, 43});
  CHECK(either(18 + 3 + 8 + 11) == std::set<Cycles>{48, 49});
}

TEST_CASE("scratch and FBI registers are read in 17 cycles end to end, an increment takes 18") {
  // pipeline_latency 4, bus_cycles 1, push_latency 4; it runs at the core's clock
  CHECK(taken(access(ReferenceUnit::kScratch, kRead, 1)) == std::set<Cycles>{17});
  CHECK(kOutsideUnit + 4 + 1 + 4 == 17);
  // command_latency 4, then csr_read_latency 5
  constexpr Word kReadRegister =
      field(19, 58) | field(sram_transfer(0), 47) | field(none, 36) |
      field(static_cast<unsigned>(isa::ControlStatusRegister::kThreadDone), 25) |
      static_cast<unsigned>(Completion::kSwap);
  CHECK(taken(kReadRegister) == std::set<Cycles>{17});
  CHECK(kOutsideUnit + 4 + 5 == 17);
  // as a read, and modify_cycles 1
  CHECK(taken(reference({ReferenceUnit::kScratch, kIncrement, none})) == std::set<Cycles>{18});
  CHECK(kOutsideUnit + 4 + 1 + 1 + 4 == 18);
}

TEST_CASE("an SRAM write takes as long as a read, on a measured board too") {
  // pipeline_latency 6, bus_cycles 2, write_completion 6. The bus is idle: it has turned before.
  CHECK(taken(access(ReferenceUnit::kSram, kWrite, 1)) == std::set<Cycles>{22, 23});
  CHECK(either(6 + 2 + 6) == std::set<Cycles>{22, 23});
}

TEST_CASE("a scratch write takes 20 cycles end to end, as on a measured board") {
  // pipeline_latency 4, bus_cycles 1, write_completion 7
  CHECK(taken(access(ReferenceUnit::kScratch, kWrite, 1)) == std::set<Cycles>{20});
  CHECK(kOutsideUnit + 4 + 1 + 7 == 20);
}

TEST_CASE("an SDRAM write of 32 bytes takes 40 to 41 cycles end to end, less than a read") {
  // pipeline_latency 18, reference_occupancy 3, bus_cycles 2 per quadword, write_completion 3: a
  // measured board takes 40 for 32 bytes.
  for (unsigned quadwords = 1; quadwords <= 4; ++quadwords)
    CHECK(taken(access(ReferenceUnit::kSdram, kWrite, quadwords)) ==
          either(18 + 3 + 2 * quadwords + 3));
  CHECK(either(18 + 3 + 8 + 3) == std::set<Cycles>{40, 41});
}

}  // namespace nplab::test
