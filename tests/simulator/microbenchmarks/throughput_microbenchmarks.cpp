// What a reference takes of a unit that 24 threads keep busy. Every thread has one reference under
// way, and no unloaded latency is as long as 24 of the times below: the unit is the bound.
#include <catch2/catch.hpp>

#include "tests/simulator/microbenchmarks/microbenchmark.h"

namespace nplab::test {
namespace {

constexpr unsigned kRead = 0, kIncrement = 6, kTestAndSet = 10;

constexpr simulator::Cycles kCounted = 26'000;

Word access(ReferenceUnit unit, unsigned command, Code transfer, unsigned tokens = 0) {
  Reference r{unit, command, transfer, a(1), value(0)};
  r.tokens = tokens;
  return reference(r);
}

}  // namespace

TEST_CASE("24 threads that read SRAM take 2.00 cycles per read") {
  // bus_cycles 2 for the longword; the next access is set up meanwhile.
  const Word read = access(ReferenceUnit::kSram, kRead, sram_transfer(0));
  CHECK(saturated_references(CountedUnit::kSram, kCounted, read) == kCounted / 2);
}

TEST_CASE("a saturated SDRAM takes 13 cycles per quadword in one bank and 6.5 in two") {
  // A bank is busy with reference_occupancy 3 and data 2, then is precharged (t_rp 4), and t_rcd 4
  // after the activation of its next row that row's data begin: 13. Its activations, t_rc 12 apart
  // at least, and t_ras 8 do not bind. Two banks, which optimize_mem lets take turns, are each busy
  // for as long; the bus, for 5 of 6.5 cycles, does not bind.
  constexpr auto kOptimize = static_cast<unsigned>(isa::Token::kOptimizeMem);
  constexpr unsigned kOtherBank = 1u << 9;  // bank_select_bit 9
  const Word read = access(ReferenceUnit::kSdram, kRead, sdram_transfer(0), kOptimize);
  CHECK(saturated_references(CountedUnit::kSdram, kCounted, read) == kCounted / 13);
  CHECK(saturated_references(CountedUnit::kSdram, kCounted, read, kOtherBank) == kCounted / 13 * 2);
}

TEST_CASE("a saturated SRAM takes 8 cycles per test-and-set") {
  // The longword is read, 2, the bus turns, turn_around 2, the longword is written, 2, and the bus
  // turns again for the next one's read, 2.
  const Word test_and_set = access(ReferenceUnit::kSram, kTestAndSet, sram_transfer(0));
  CHECK(saturated_references(CountedUnit::kSram, kCounted, test_and_set) == kCounted / 8);
}

TEST_CASE("a saturated scratch memory takes 2 cycles per increment") {
  // bus_cycles 1 and modify_cycles 1
  const Word increment = access(ReferenceUnit::kScratch, kIncrement, none);
  CHECK(saturated_references(CountedUnit::kScratch, kCounted, increment) == kCounted / 2);
}

}  // namespace nplab::test
