// What each class of branch costs, to the cycle: a program's executing and aborted cycles.
#include <catch2/catch.hpp>

#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

struct Case {
  const char* name;
  std::vector<Word> words;
  std::uint64_t executing;  // with the final ctx_arb[kill]
  std::uint64_t aborted;    // with its shadow
};

// Runs on the test chip: there a kill behind a branch does nothing.
void check(const Case& expected) {
  INFO(expected.name);
  BenchChip bench(chip_description("test"));
  bench.load(0, program(expected.words));
  bench.run();
  const auto counters = bench.counters();
  CHECK(counters.executing == expected.executing);
  CHECK(counters.aborted == expected.aborted);
}

}  // namespace

TEST_CASE("a taken branch aborts what its class says") {
  const Word zero = move(none, value(0));
  for (const Case& c : std::vector<Case>{
           {"br", {br(If::kAlways, 2), nop(), kill()}, 2, 1 + 1},
           {"br=0 with an instruction between it and the one that sets the codes",
            {zero, nop(), br(If::kEqual, 5), nop(), nop(), kill()},
            4,
            2 + 1},
           {"br=0 just after the instruction that sets the codes",
            {zero, br(If::kEqual, 5), nop(), nop(), nop(), kill()},
            3,
            3 + 1},
           {"br=ctx", {br_context(0, 3), nop(), nop(), kill()}, 2, 2 + 1},
           {"br_!signal", {br_not_signal(0, 3), nop(), nop(), kill()}, 2, 2 + 1},
           {"br_bset", {br_bclr(a(0), 0, 4), nop(), nop(), nop(), kill()}, 2, 3 + 1},
           {"br=byte",
            {immed(a(0), 0x1234), br_equal_byte(a(0), 1, 0x12, 5), nop(), nop(), nop(), kill()},
            3,
            3 + 1},
           {"jump", {immed(a(0), 2), jump(a(0), 3), nop(), nop(), nop(), kill()}, 3, 3 + 1},
           {"rtn",
            {immed(a(0), 5), branch_word(14, 1, 0, 0, false) | field(a(0), 36), nop(), nop(), nop(),
             kill()},
            3,
            3 + 1},
       })
    check(c);
}

TEST_CASE("a branch that is not taken costs nothing but itself") {
  for (const Case& c : std::vector<Case>{
           {"br=0", {move(none, value(1)), br(If::kEqual, 0), kill()}, 3, 1},
           {"br=ctx", {br_context(1, 0), kill()}, 2, 1},
           {"br_bset", {br_bset(a(0), 1, 0), kill()}, 2, 1},
       })
    check(c);
}

TEST_CASE("deferred instructions execute and take the place of aborted ones") {
  const Word zero = move(none, value(0));
  for (const Case& c : std::vector<Case>{
           {"br, defer[1]", {br(If::kAlways, 2, 1), nop(), kill()}, 3, 0 + 1},
           {"br=0 after the setter, defer[1]",
            {zero, br(If::kEqual, 4, 1), nop(), nop(), kill()},
            4,
            2 + 1},
           {"br=0 after the setter, defer[2]",
            {zero, br(If::kEqual, 4, 2), nop(), nop(), kill()},
            5,
            1 + 1},
           {"br=0 not after the setter, defer[2]",
            {zero, nop(), br(If::kEqual, 5, 2), nop(), nop(), kill()},
            6,
            0 + 1},
           {"br_bset, defer[2]", {br_bclr(a(0), 0, 4, 2), nop(), nop(), nop(), kill()}, 4, 1 + 1},
           {"br_bset, defer[3]", {br_bclr(a(0), 0, 4, 3), nop(), nop(), nop(), kill()}, 5, 0 + 1},
           {"not taken, defer[2]: they execute once, as what follows",
            {br_bset(a(0), 1, 4, 2), nop(), nop(), kill(), nop()},
            4,
            0 + 1},
       })
    check(c);
}

TEST_CASE("with guess_branch the target is fetched, so the path not taken pays") {
  for (const Case& c : std::vector<Case>{
           {"taken: what an unconditional branch costs",
            {br_bclr(a(0), 0, 4, 0, Fetch::kTarget), nop(), nop(), nop(), kill()},
            2,
            1 + 1},
           {"taken, defer[1]",
            {br_bclr(a(0), 0, 4, 1, Fetch::kTarget), nop(), nop(), nop(), kill()},
            3,
            0 + 1},
           {"not taken", {br_bset(a(0), 1, 0, 0, Fetch::kTarget), kill()}, 2, 3 + 1},
           {"not taken, defer[1]",
            {br_bset(a(0), 1, 0, 1, Fetch::kTarget), nop(), kill()},
            3,
            2 + 1},
       })
    check(c);
}

TEST_CASE("deferred instructions take effect before the target's") {
  BenchChip bench;
  bench.load(0, program({immed(a(1), 1), br(If::kAlways, 4, 1), immed(a(1), 2), immed(a(1), 3),
                         move(b(1), a(1)), kill()}));
  bench.run();
  CHECK(bench.reg(b(1)) == 2);
}

TEST_CASE("an aborted cycle is charged to the branch that caused it, by class") {
  BenchChip bench;
  bench.load(0, program({nop(), br_bclr(a(0), 0, 5), nop(), nop(), nop(), kill()}));
  bench.run();
  const auto counters = bench.counters();
  CHECK(counters.words[1].aborted == 3);
  CHECK(counters.words[5].aborted == 1);
  CHECK(counters.aborted_by[static_cast<unsigned>(isa::AbortClass::kTest)] == 3);
  CHECK(counters.aborted_by[static_cast<unsigned>(isa::AbortClass::kSwap)] == 1);
}

TEST_CASE(
    "a kill fetched after a branch that is decided late takes effect where the chip says so") {
  // The branch over the kill is taken; the thread ends all the same.
  const auto over_a_kill = program({br_bclr(a(0), 0, 2), kill(), immed(b(1), 7), kill()});
  BenchChip silicon(chip_description("ixp1200"));
  silicon.load(0, over_a_kill);
  silicon.run();
  CHECK(silicon.reg(b(1)) == 0);
  BenchChip ideal(chip_description("ixp1200", {"engine.pipeline.prefetched_kill=false"}));
  ideal.load(0, over_a_kill);
  ideal.run();
  CHECK(ideal.reg(b(1)) == 7);
}

TEST_CASE("a branch in the deferred shadow of another is refused") {
  BenchChip bench;
  bench.load(0, program({br_bclr(a(0), 0, 3, 1), br(If::kAlways, 3), nop(), kill()}));
  bench.run_until(100);
  REQUIRE(bench.watch.fault());
  CHECK(bench.watch.fault()->kind == simulator::Fault::Kind::kIllegalInstruction);
  CHECK(bench.watch.fault()->pc == 1u);
}

}  // namespace nplab::test
