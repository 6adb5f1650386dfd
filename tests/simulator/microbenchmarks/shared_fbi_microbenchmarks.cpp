// Scratch memory and the rest of the FBI take turns in one command processor: what one of them
// executes delays the other. Engine 1 issues its reference in cycle 3, it is granted in 4, arrives
// in 6 and begins in 10. Engine 0 issues its own in 4; it is granted in 5, arrives in 7 and can
// begin in 11, as soon as the processor is free. Unloaded it takes 17 cycles end to end.
#include <catch2/catch.hpp>

#include "tests/simulator/microbenchmarks/microbenchmark.h"

namespace nplab::test {
namespace {

using simulator::ChipDescription;
using simulator::Cycles;

constexpr Cycles kUnloaded = 17, kBeganBeside = 10, kCanBegin = 11;
constexpr unsigned kSwap = static_cast<unsigned>(Completion::kSwap);

Word scratch_read(unsigned count, Completion completion) {
  return reference(
      {ReferenceUnit::kScratch, 0, sram_transfer(0), value(0), value(0), count, completion});
}
constexpr Word fbi_word(unsigned unit, unsigned command, unsigned count, Code x, Code y) {
  return field(unit, 58) | field(sram_transfer(0), 47) | field(x, 36) | field(y, 25) |
         field(command, 20) | field(count - 1, 12);
}
constexpr Word kReadRegister =
    fbi_word(19, 0, 1, none, static_cast<Code>(isa::ControlStatusRegister::kThreadDone));
constexpr Word kHashThreeKeys = fbi_word(20, 0, 6, none, none);
constexpr Word kReadFifo = fbi_word(19, 2, 8, value(0), value(0));

// Of `reference`, which swaps, while engine 1 executes `beside`.
Cycles end_to_end_beside(Word reference, Word beside, const ChipDescription& chip) {
  TimedProgram timed{{nop(), reference, nop(), kill()}, 0, 2, {beside, kill()}};
  return cycles_of(timed, chip);
}
// When the processor is occupied for `occupied` cycles before.
constexpr Cycles after(Cycles occupied) {
  const Cycles free_from = kBeganBeside + occupied;
  return kUnloaded + (free_from > kCanBegin ? free_from - kCanBegin : 0);
}

}  // namespace

TEST_CASE("a scratch read waits while the hash unit works") {
  const ChipDescription chip = shipped_ixp1200();
  // hash_cycles 8 for each of three keys
  CHECK(end_to_end_beside(scratch_read(1, Completion::kSwap), kHashThreeKeys, chip) == after(24));
  CHECK(after(24) == 40);
}

TEST_CASE("a scratch read waits while a FIFO or a register is accessed") {
  const ChipDescription chip = shipped_ixp1200();
  const Word read = scratch_read(1, Completion::kSwap);
  // fifo_longword_cycles 1 for each of eight longwords
  CHECK(end_to_end_beside(read, kReadFifo, chip) == after(8));
  CHECK(after(8) == 24);
  // csr_cycles 1: done in the cycle before the scratch read can begin
  CHECK(end_to_end_beside(read, kReadRegister, chip) == 17);
  ChipDescription slow = chip;
  slow.fbi.csr_cycles = 6;
  CHECK(end_to_end_beside(read, kReadRegister, slow) == after(6));
  CHECK(after(6) == 22);
}

TEST_CASE("a register of the FBI is read after a scratch burst that came before") {
  const ChipDescription chip = shipped_ixp1200();
  // scratch.bus_cycles 1 for each of eight longwords
  const Word burst = scratch_read(8, Completion::kSilent);
  CHECK(end_to_end_beside(kReadRegister | kSwap, burst, chip) == after(8));
}

}  // namespace nplab::test
