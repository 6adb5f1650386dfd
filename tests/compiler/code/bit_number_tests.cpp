// Numbers of bits by find_bset: where it is used, and that it is right for every bit.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

const std::string kHead = "#include <microengine.h>\n";

TEST_CASE("ctz and clz search both halves with find_bset at -O2 and -Os, and at no other level") {
  for (const std::string builtin : {"__builtin_ctz", "__builtin_clz"}) {
    const std::string source = kHead + "int main(void) { return " + builtin + "(shared_read(0)); }";
    for (const Optimization level : kLevels) {
      const bool searches = level == Optimization::kO2 || level == Optimization::kOs;
      CHECK(count(instructions_of(source, level), "find_bset[") == (searches ? 2 : 0));
    }
  }
}

TEST_CASE("a program that searches bits itself keeps the results of its own searches") {
  const std::string source = kHead +
                             "int main(void) { u32 x = shared_read(0), y = find_bset(x);\n"
                             "  return (y << 8) + __builtin_ctz(x | 4); }";
  CHECK(count(instructions_of(source, Optimization::kO2), "find_bset[") == 1);
}

TEST_CASE("the number of each bit is right, alone and below or above all others") {
  const std::string source =
      kHead +
      "int main(void) {\n  volatile u32 first = 0;\n  for (u32 bit = first; bit < 32; bit++) {\n"
      "    const u32 one = 1u << bit, above = ~0u << bit, below = one | (one - 1);\n"
      "    if (__builtin_ctz(one) != bit || __builtin_ctz(above) != bit) return 1 + bit;\n"
      "    if (__builtin_clz(one) != 31 - bit || __builtin_clz(below) != 31 - bit) return 101 + "
      "bit;\n"
      "    if (__builtin_ctz(below) || __builtin_clz(above)) return 201 + bit;\n"
      "    if (__builtin_ffs(above) != bit + 1) return 301 + bit;\n  }\n"
      "  return __builtin_ffs(first);\n}\n";
  for (const Optimization level : kLevels) {
    INFO(static_cast<int>(level));
    CHECK(run(source, "test.c", options_at(level)).return_value == 0);
  }
}

}  // namespace
}  // namespace nplab::test
