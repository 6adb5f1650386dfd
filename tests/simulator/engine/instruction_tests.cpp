// What instructions compute: results and condition codes.
#include <catch2/catch.hpp>

#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

// The immediates that load `data` into register `dst`.
void load(std::vector<Word>& words, Code dst, std::uint32_t data) {
  words.push_back(immed(dst, data & 0xffff));
  words.push_back(field(4, 58) | field(dst, 47) | field(6, 20) | data >> 16);  // immed_w1
}

std::uint32_t result_of(Word word, std::uint32_t x, std::uint32_t y) {
  std::vector<Word> words;
  load(words, a(1), x);
  load(words, b(1), y);
  words.push_back(word);
  words.push_back(kill());
  BenchChip bench(chip_description("test"));
  bench.load(0, program(words));
  bench.run();
  return bench.reg(a(0));
}

// Which conditions hold behind `word`.
std::vector<unsigned> conditions_of(Word word, std::uint32_t x, std::uint32_t y) {
  std::vector<unsigned> held;
  for (unsigned condition = 1; condition <= 8; ++condition) {
    std::vector<Word> words;
    load(words, a(1), x);
    load(words, b(1), y);
    words.push_back(word);
    const auto here = static_cast<unsigned>(words.size());
    words.push_back(br(static_cast<If>(condition), here + 2));
    words.push_back(kill());
    words.push_back(immed(a(5), 1));
    words.push_back(kill());
    BenchChip bench(chip_description("test"));
    bench.load(0, program(words));
    bench.run();
    if (bench.reg(a(5)) == 1)
      held.push_back(condition);
  }
  return held;
}

}  // namespace

TEST_CASE("alu operations") {
  struct Case {
    Alu function;
    std::uint32_t x, y, result;
  };
  for (const Case& c : {Case{Alu::kAdd, 5, 7, 12}, Case{Alu::kSub, 5, 7, 0xfffffffe},
                        Case{Alu::kReverseSub, 5, 7, 2}, Case{Alu::kAnd, 0xc, 0xa, 0x8},
                        Case{Alu::kNotAnd, 0xc, 0xa, 0x2}, Case{Alu::kAndNot, 0xc, 0xa, 0x4},
                        Case{Alu::kOr, 0xc, 0xa, 0xe}, Case{Alu::kXor, 0xc, 0xa, 0x6},
                        Case{Alu::kAdd4, 1, 0xff, 0x10}, Case{Alu::kAdd8, 1, 0xfff, 0x100},
                        Case{Alu::kAdd16, 1, 0xfffff, 0x10000}}) {
    INFO("function " << static_cast<unsigned>(c.function));
    CHECK(result_of(alu(a(0), a(1), c.function, b(1)), c.x, c.y) == c.result);
  }
  CHECK(result_of(alu(a(0), none, Alu::kB, b(1)), 1, 0x12345678) == 0x12345678);
  CHECK(result_of(alu(a(0), none, Alu::kNotB, b(1)), 1, 0x12345678) == 0xedcba987);
  CHECK(result_of(alu(a(0), a(1), Alu::kAdd, value(31)), 1, 0) == 32);
}

TEST_CASE("carry and sign of an earlier instruction enter +carry and +IFsign") {
  const auto both = [](Word first, Word second, std::uint32_t x, std::uint32_t y) {
    std::vector<Word> words;
    load(words, a(1), x);
    load(words, b(1), y);
    words.insert(words.end(), {first, second, kill()});
    BenchChip bench;
    bench.load(0, program(words));
    bench.run();
    return bench.reg(a(0));
  };
  const Word low_sum = alu(none, a(1), Alu::kAdd, b(1));
  const Word high_sum = alu(a(0), a(2), Alu::kAddCarry, b(2));
  CHECK(both(low_sum, high_sum, 0xffffffff, 1) == 1);
  CHECK(both(low_sum, high_sum, 0xfffffffe, 1) == 0);
  const Word sign = alu(a(0), a(1), Alu::kAddIfSign, b(1));
  CHECK(both(low_sum, sign, 0x80000000, 3) == 0x80000003);
  CHECK(both(low_sum, sign, 4, 3) == 3);
}

TEST_CASE("shifts of the B operand") {
  CHECK(result_of(alu_shf(a(0), none, Alu::kB, b(1), 1, 4), 0, 0x80000001) == 0x10);
  CHECK(result_of(alu_shf(a(0), none, Alu::kB, b(1), 2, 4), 0, 0x80000001) == 0x08000000);
  CHECK(result_of(alu_shf(a(0), none, Alu::kB, b(1), 3, 4), 0, 0x80000001) == 0x18);
  CHECK(result_of(alu_shf(a(0), none, Alu::kB, b(1), 4, 4), 0, 0x80000001) == 0x18000000);
  CHECK(result_of(alu_shf(a(0), a(1), Alu::kAnd, b(1), 2, 8), 0xf, 0x1234) == 0x2);
  CHECK(result_of(dbl_shf(a(0), a(1), b(1), 8), 0x12345678, 0x9abcdef0) == 0x789abcde);
}

TEST_CASE("an indirect shift takes its amount from the A operand just before") {
  BenchChip bench;
  bench.load(0, program({immed(a(1), 5), immed(b(1), 3), alu(none, a(1), Alu::kOr, value(0)),
                         alu_shf(a(0), none, Alu::kB, b(1), 5, 0), kill()}));
  bench.run();
  CHECK(bench.reg(a(0)) == 3u << 5);
}

TEST_CASE(
    "condition codes follow signed comparison, and carry means no borrow after a difference") {
  const Word compare = alu(none, a(1), Alu::kSub, b(1));
  // 1 =0, 2 !=0, 3 >0, 4 >=0, 5 <0, 6 <=0, 7 =cout, 8 !=cout
  CHECK(conditions_of(compare, 5, 5) == std::vector<unsigned>{1, 4, 6, 7});
  CHECK(conditions_of(compare, 6, 5) == std::vector<unsigned>{2, 3, 4, 7});
  CHECK(conditions_of(compare, 5, 6) == std::vector<unsigned>{2, 5, 6, 8});
  CHECK(conditions_of(compare, 0x80000000, 1) == std::vector<unsigned>{2, 5, 6, 7});
  CHECK(conditions_of(compare, 0x7fffffff, 0xffffffff) == std::vector<unsigned>{2, 3, 4, 8});
  CHECK(conditions_of(alu(none, a(1), Alu::kAnd, b(1)), 0x80000000, 0xffffffff) ==
        std::vector<unsigned>{2, 5, 6, 8});
}

TEST_CASE("immediates and byte fields") {
  CHECK(result_of(immed(a(0), 0x1234, 1), 0, 0) == 0x123400);
  CHECK(result_of(immed(a(0), 0x1234, 2), 0, 0) == 0x12340000);
  CHECK(result_of(immed(a(0), 0x1234, 4), 0, 0) == 0xffff1234);
  const auto ld_field = [](unsigned function, unsigned mask, unsigned kind, unsigned amount) {
    return three_operands(5, a(0), none, b(1)) | field(function, 20) | field(kind, 17) |
           field(amount, 12) | field(mask, 7);
  };
  CHECK(result_of(ld_field(1, 0b0110, 0, 0), 0, 0x12345678) == 0x00345600);
  CHECK(result_of(ld_field(1, 0b0011, 2, 16), 0, 0x12345678) == 0x1234);
  BenchChip bench;
  bench.load(0, program({immed(a(0), 0xaaaa, 0), immed(b(1), 0x5678, 0), ld_field(0, 0b0001, 0, 0),
                         kill()}));
  bench.run();
  CHECK(bench.reg(a(0)) == 0xaa78);
}

TEST_CASE("find_bset finds the lowest bit set of 16, and the result before it stays readable") {
  const Word find = three_operands(7, none, none, b(1));
  const Word find_in_upper_half = find | field(2, 17) | field(16, 12);
  const auto load_result = [](Code dst, unsigned function) {
    return three_operands(7, dst, none, none) | field(function, 20);
  };
  BenchChip bench;
  bench.load(0, program({immed(b(1), 0x0810, 1), find_in_upper_half, find, load_result(a(0), 2),
                         load_result(b(0), 3), immed(b(1), 0), find, load_result(a(1), 2),
                         load_result(b(2), 3), kill()}));
  bench.run();
  CHECK(bench.reg(b(0)) == (1u << 8 | 3));
  CHECK(bench.reg(a(0)) == (1u << 8 | 12));
  CHECK(bench.reg(a(1)) == 0);
  CHECK(bench.reg(b(2)) == (1u << 8 | 12));
}

}  // namespace nplab::test
