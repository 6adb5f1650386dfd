// Switches that become tables of branches, and jumps and calls to places that are computed.
#include <catch2/catch.hpp>
#include <random>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

// `switch` over `cases` numbers from `first` on, `step` apart.
std::string switch_of(unsigned cases, int first, int step) {
  std::string source = "#include <microengine.h>\nint main(void) {\n  switch ((int)ctx()) {\n";
  for (unsigned index = 0; index != cases; ++index)
    source += "    case " + std::to_string(first + static_cast<int>(index) * step) + ": return " +
              std::to_string(1000 + 37 * index * index) + ";\n";
  return source + "    default: return 5;\n  }\n}\n";
}

TEST_CASE("a dense switch is one jump into a table of branches, at -O2 and -Os only") {
  const std::string source = switch_of(16, 0, 1);
  for (const Optimization level : {Optimization::kO2, Optimization::kOs}) {
    const auto code = instructions_of(source, level);
    CHECK(count(code, "jump[") == 1);
    CHECK(count(code, "br[") >= 16);
  }
  for (const Optimization level : {Optimization::kO0, Optimization::kO1, Optimization::kPublished})
    CHECK(count(instructions_of(source, level), "jump[") == 0);
}

TEST_CASE("a table needs six cases, and no more entries than a search has words") {
  struct Expected {
    unsigned cases;
    int step;
    unsigned at_o2, at_os;
  };
  const Expected expected[] = {{5, 1, 0, 0},  {6, 1, 1, 1},  {8, 2, 1, 0},
                               {16, 2, 1, 1}, {16, 3, 1, 0}, {16, 9, 0, 0}};
  for (const Expected& one : expected) {
    INFO(one.cases << " cases, " << one.step << " apart");
    const std::string source = switch_of(one.cases, 3, one.step);
    CHECK(count(instructions_of(source, Optimization::kO2), "jump[") == one.at_o2);
    CHECK(count(instructions_of(source, Optimization::kOs), "jump[") == one.at_os);
  }
}

TEST_CASE("ranges of numbers with one target are compared, not tabled") {
  const std::string source =
      "#include <microengine.h>\nint main(void) {\n  switch (shared_read(0)) {\n"
      "    case 0 ... 40: return 1;\n    case 41 ... 90: return 2;\n    case 91 ... 130: return "
      "3;\n    default: return 4;\n  }\n}\n";
  CHECK(count(instructions_of(source, Optimization::kO2), "jump[") == 0);
}

TEST_CASE("each case of random switches is reached by its number alone, at every level") {
  std::mt19937 random(21);
  for (unsigned round = 0; round != 12; ++round) {
    const unsigned cases = 5 + random() % 14;
    std::map<std::int32_t, unsigned> values;
    const std::int32_t first =
        static_cast<std::int32_t>(random() % 3 == 0 ? random() : random() % 9);
    std::int64_t next = first;
    for (unsigned index = 0; index != cases; ++index) {
      values[static_cast<std::int32_t>(next)] = random() % 6 == 0 ? 7 : 100 + index;
      next += 1 + (random() % 4 == 0 ? random() % 3 : 0);
    }
    std::string body;
    for (const auto& [number, value] : values)
      body += "    case " + std::to_string(number) + "LL: return " + std::to_string(value) + ";\n";
    const std::string low = std::to_string(std::int64_t{first} - 3) + "LL";
    const unsigned tried = static_cast<unsigned>(next - first) + 6;
    const std::string source =
        "#include <microengine.h>\nstatic u32 pick(int number) {\n  switch (number) {\n" + body +
        "    default: return 3;\n  }\n}\nint main(void) {\n  u32 sum = 0;\n  for (u32 i = 0; i < " +
        std::to_string(tried) + "; i++) sum = sum * 5 + pick((int)((u32)" + low +
        " + i));\n  return sum;\n}\n";
    std::uint32_t expected = 0;
    for (unsigned index = 0; index != tried; ++index) {
      const auto number = static_cast<std::int32_t>(static_cast<std::uint32_t>(first) - 3 + index);
      const auto known = values.find(number);
      expected = expected * 5 + (known == values.end() ? 3 : known->second);
    }
    for (const Optimization level : kLevels) {
      INFO(source << "at level " << static_cast<int>(level));
      CHECK(run(source, "test.c", options_at(level)).return_value == expected);
    }
  }
}

TEST_CASE("a case whose pointer is known is called directly") {
  const std::string source =
      "#include <microengine.h>\nstatic u32 one(u32 x) { return x + 1; }\n"
      "static u32 two(u32 x) { return x ^ 2; }\n"
      "int main(void) { u32 (*f)(u32) = one, (*g)(u32) = two; return f(g(ctx())); }";
  const auto code = instructions_of(source, Optimization::kO2);
  CHECK(count(code, "br") == 0);
  CHECK(count(code, "jump[") == 0);
}

TEST_CASE("a computed goto is a jump into the table of its labels") {
  std::string source =
      "#include <microengine.h>\nint main(void) {\n  u32 x = ctx(), n = 0;\n"
      "  static void *const to[] = {&&a, &&b, &&c, &&d, &&e, &&f};\n"
      "again:\n  goto *to[x % 6];\n";
  for (const char label : {'a', 'b', 'c', 'd', 'e'})
    source += std::string(1, label) + ": x = x * 3 + " + std::to_string(label) +
              "; if (n++ < 20) goto again; return x;\n";
  source += "f: return x ^ n;\n}\n";
  CHECK(count(instructions_of(source, Optimization::kO2), "jump[") == 1);
  const auto expected = run(source, "test.c", options_at(Optimization::kO0)).return_value;
  CHECK(run(source, "test.c", options_at(Optimization::kO2)).return_value == expected);
  CHECK(run(source, "test.c", options_at(Optimization::kOs)).return_value == expected);
}

}  // namespace
}  // namespace nplab::test
