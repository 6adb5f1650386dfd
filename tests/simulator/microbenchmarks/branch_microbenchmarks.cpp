// What loops of branches take on the shipped chip. It aborts 3 instructions after a taken
// conditional branch whose codes are set by the instruction before it
// (condition_aborts_after_setter), 2 if another instruction is in between (condition_aborts), and 1
// after `br` (unconditional_aborts). The instruction that loads the counter counts as 1 cycle.
#include <catch2/catch.hpp>

#include "tests/simulator/microbenchmarks/microbenchmark.h"

namespace nplab::test {
namespace {

constexpr unsigned kPasses = 1000;

// Counts a0 down from 1,000 by the words of `loop`; 999 of its 1,000 branches are taken. The words
// after the loop keep the end of the thread out of a taken branch's shadow (prefetched_kill).
simulator::Cycles cycles_of_loop(const std::vector<Word>& loop) {
  TimedProgram timed{{immed(a(0), kPasses)}};
  timed.words.insert(timed.words.end(), loop.begin(), loop.end());
  timed.end = static_cast<unsigned>(timed.words.size());
  timed.words.insert(timed.words.end(), 4, nop());
  timed.words.push_back(kill());
  return cycles_of(timed);
}

constexpr unsigned kLoop = 1;  // its first word
const Word kCountDown = alu(a(0), a(0), Alu::kSub, value(1));

}  // namespace

TEST_CASE("1,000 branches immediately after their setter take 4,998 cycles") {
  // 1 + 999 x (setter 1 + branch 1 + aborted 3) + the last, not taken: 2
  CHECK(cycles_of_loop({kCountDown, br(If::kNotEqual, kLoop)}) == 1 + 999 * 5 + 2);
}

TEST_CASE("1,000 branches with an instruction after the setter take 4,999 cycles") {
  // 1 + 999 x (setter 1 + gap 1 + branch 1 + aborted 2) + the last, not taken: 3
  CHECK(cycles_of_loop({kCountDown, nop(), br(If::kNotEqual, kLoop)}) == 1 + 999 * 5 + 3);
}

TEST_CASE("1,000 branches with one or two deferred instructions take 4,999 and 5,000 cycles") {
  // 1 + 999 x (setter 1 + branch 1 + deferred 1 + aborted 3 - 1) + the last, not taken: 3
  CHECK(cycles_of_loop({kCountDown, br(If::kNotEqual, kLoop, 1), nop()}) == 1 + 999 * 5 + 3);
  // 1 + 999 x (setter 1 + branch 1 + deferred 2 + aborted 3 - 2) + the last, not taken: 4
  CHECK(cycles_of_loop({kCountDown, br(If::kNotEqual, kLoop, 2), nop(), nop()}) == 1 + 999 * 5 + 4);
}

TEST_CASE("1,000 branches with guess_branch take 3,003 cycles") {
  // The target is fetched: a taken branch aborts what `br` would, 1, and the one not taken aborts
  // its class's 3. 1 + 999 x (setter 1 + branch 1 + aborted 1) + the last: setter 1 + branch 1 + 3
  CHECK(cycles_of_loop({kCountDown, br(If::kNotEqual, kLoop, 0, Fetch::kTarget)}) ==
        1 + 999 * 3 + 5);
}

TEST_CASE("100 br take 201 cycles with the instruction before them") {
  // 1 + 100 x (branch 1 + aborted 1)
  TimedProgram timed{{immed(a(0), 0)}};
  for (unsigned i = 0; i < 100; ++i)
    timed.words.push_back(br(If::kAlways, static_cast<unsigned>(timed.words.size()) + 1));
  timed.end = static_cast<unsigned>(timed.words.size());
  timed.words.insert(timed.words.end(), {nop(), kill()});
  CHECK(cycles_of(timed) == 1 + 100 * 2);
}

}  // namespace nplab::test
