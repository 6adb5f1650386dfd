// Small programs on the chip as it is shipped, timed from one word to another. Their expectations
// are computed by hand, from figures that the chip file states and docs/chip.md explains.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/run/simulation.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/words.h"

namespace nplab::test {

// ixp1200.yaml, as it is.
simulator::ChipDescription shipped_ixp1200();

// The words before `end` are timed: from the first execution of word `begin` to the first of word
// `end`, by one thread.
struct TimedProgram {
  std::vector<Word> words;
  unsigned begin = 0;
  unsigned end = 0;
  std::vector<Word> beside = {};  // of engine 1; the timed one is engine 0's
};
simulator::Cycles cycles_of(const TimedProgram& timed,
                            const simulator::ChipDescription& chip = shipped_ixp1200());

// From the instruction before `reference`, which swaps, to the one after it. `delay`: instructions
// before, which decide in which half of a memory's clock the reference is issued.
simulator::Cycles end_to_end(Word reference, unsigned delay);

// References that a unit takes in `cycles` cycles while all 24 threads do nothing but send it
// `reference` and wait for it: it is never without work. a1 holds 0 on engines with an even number
// and `odd_address` on the others.
enum class CountedUnit { kSram, kSdram, kScratch };
std::uint64_t saturated_references(CountedUnit unit, simulator::Cycles cycles, Word reference,
                                   unsigned odd_address = 0);

}  // namespace nplab::test
