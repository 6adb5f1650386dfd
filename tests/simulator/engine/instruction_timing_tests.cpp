// Every instruction that neither branches nor refers to memory takes one cycle, and its result is
// there in the next.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using isa::Operation;

std::vector<Word> computing_words() {
  std::vector<Word> words;
  for (unsigned function = 0; function <= 14; ++function) {
    const bool unary = function == 3 || function == 4;
    words.push_back(alu(a(0), unary ? none : a(1), static_cast<Alu>(function), b(1)));
  }
  for (const unsigned function : {3u, 4u, 5u, 6u, 7u, 8u})
    for (unsigned kind = 0; kind <= 6; ++kind)
      words.push_back(alu_shf(a(0), function <= 4 ? none : a(1), static_cast<Alu>(function), b(1),
                              kind, kind >= 1 && kind <= 4 ? 5 : 0));
  words.push_back(dbl_shf(a(0), a(1), b(1), 7));
  for (unsigned function = 0; function <= 6; ++function)
    words.push_back(field(4, 58) | field(a(0), 47) | field(function, 20) | 0x12);
  for (unsigned function = 0; function <= 1; ++function)
    for (unsigned load_cc = 0; load_cc <= 1; ++load_cc)
      words.push_back(three_operands(5, a(0), none, b(1)) | field(function, 20) |
                      field(load_cc, 11) | field(5, 7));
  words.push_back(field(6, 58) | field(a(0), 47) | 1);
  words.push_back(three_operands(7, none, none, b(1)));
  words.push_back(three_operands(7, none, a(1), b(1)) | field(1, 20));
  words.push_back(three_operands(7, a(0), none, none) | field(2, 20));
  words.push_back(three_operands(7, a(0), none, none) | field(3, 20));
  for (unsigned csr = 0; csr <= 2; ++csr)
    words.push_back(field(25, 58) | field(a(0), 47) | field(csr, 25));
  words.push_back(nop());
  return words;
}

}  // namespace

TEST_CASE("each computing instruction executes in one cycle, ten of them in ten") {
  for (const Word word : computing_words()) {
    const auto instruction = isa::decode(word);
    REQUIRE(instruction);
    INFO(isa::to_string(instruction->operation));
    for (const unsigned times : {1u, 10u}) {
      BenchChip bench;
      std::vector<Word> words(times, word);
      words.push_back(kill());
      bench.load(0, program(words));
      bench.run();
      const auto counters = bench.counters();
      CHECK(counters.executing == times + 1);
      CHECK(counters.aborted == 1);
      CHECK(counters.stalled == 0);
      CHECK(counters.idle == 3);
      for (unsigned i = 0; i < times; ++i)
        CHECK(counters.words[i].executing == 1);
      CHECK(bench.chip.now().number() == 3 + times + 2);
    }
  }
}

TEST_CASE("the table above has every operation that computes") {
  std::set<Operation> seen;
  for (const Word word : computing_words())
    seen.insert(isa::decode(word)->operation);
  std::vector<std::string> missing;
  for (const isa::NamedNumber& entry : isa::kOperationNames) {
    const auto operation = static_cast<Operation>(entry.number);
    const bool computes =
        operation <= Operation::kLoadBsetResult2 || operation == Operation::kLocalCsrRd;
    if (computes && !seen.contains(operation))
      missing.emplace_back(entry.name);
  }
  CHECK(missing.empty());
}

TEST_CASE(
    "a result is an operand of the next instruction, and its codes are those of the next branch") {
  BenchChip bench;
  bench.load(0, program({immed(a(0), 5), alu(b(0), a(0), Alu::kAdd, value(1)),
                         alu(a(1), b(0), Alu::kAdd, value(1)),
                         alu(sram_transfer(0), a(1), Alu::kSub, value(7)), br(If::kEqual, 6),
                         immed(a(2), 1), kill()}));
  bench.run();
  CHECK(bench.reg(a(1)) == 7);
  CHECK(bench.reg(a(2)) == 0);
}

TEST_CASE("a swap aborts one slot, none with defer[1], whatever yields the engine") {
  for (const unsigned defer : {0u, 1u}) {
    const auto check = [&](Word word, const char* name) {
      INFO(name << ", defer " << defer);
      BenchChip bench;
      bench.load(0, program({word, nop(), kill()}));
      bench.run();
      CHECK(bench.counters().words[0].aborted == 1 - defer);
      CHECK(bench.counters().words[1].executing == 1);
    };
    check(yield(defer), "ctx_arb[voluntary]");
    for (const ReferenceUnit unit :
         {ReferenceUnit::kSram, ReferenceUnit::kSdram, ReferenceUnit::kScratch}) {
      const Code transfer = unit == ReferenceUnit::kSdram ? sdram_transfer(0) : sram_transfer(0);
      for (unsigned command = 0; command <= 1; ++command)
        check(reference({unit, command, transfer, a(0), value(0), 1, Completion::kSwap, defer}),
              "a reference");
    }
  }
}

TEST_CASE("a kill with defer[1] executes the instruction after it") {
  BenchChip bench;
  bench.load(0, program({ctx_arb(isa::Event::kKill, 1), immed(a(0), 9), immed(a(0), 1)}));
  bench.run();
  CHECK(bench.reg(a(0)) == 9);
  CHECK(bench.counters().executing == 2);
  CHECK(bench.counters().aborted == 0);
}

}  // namespace nplab::test
