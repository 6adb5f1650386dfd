// Random programs of bursts, locals in memory and references that answer where they asked: more
// longwords on their way than transfer registers, more values than registers. What they compute
// does not depend on the level.
#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

struct Vector {
  std::string name;
  unsigned longwords;
};

class BurstProgram {
 public:
  explicit BurstProgram(unsigned seed) : random_(seed) {}

  std::string text() {
    text_ = R"(#include <microengine.h>
u32 sum;
__scratch u32 area[80];
static void mix(u32 v) { sum = (sum << 5 | sum >> 27) ^ v; }
int main(void) {
  __sram u32 *sram_area = (__sram u32 *)0x200000;
  __sdram u32 *sdram_area = (__sdram u32 *)0x1000;
  __scratch u32 *scratch_area = area;
  u32 x = ctx() + 7, local[6] = {x, x + 1, x + 2, x + 3, x + 4, x + 5};
)";
    for (unsigned statements = 10 + pick(35); statements; --statements)
      statement(0);
    for (const Vector& vector : vectors_)
      for (unsigned i = 0; i != vector.longwords; ++i)
        line("mix(" + vector.name + "[" + std::to_string(i) + "]);");
    text_ += "  for (u32 i = 0; i < 6; i++) mix(local[i]);\n  return sum;\n}\n";
    return text_;
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  void line(const std::string& text) { text_ += "  " + text + "\n"; }

  std::string value() {
    if (!vectors_.empty() && pick(4) != 0) {
      const Vector& vector = vectors_[pick(vectors_.size())];
      return vector.name + "[" + std::to_string(pick(vector.longwords)) + "]";
    }
    switch (pick(4)) {
      case 0: return "x";
      case 1: return "local[" + std::to_string(pick(6)) + "]";
      case 2: return "local[(x + " + std::to_string(pick(9)) + ") % 6]";
      default: return std::to_string(pick(100));
    }
  }

  // A place for a burst of up to 8 longwords, and the count of `longwords` in the memory's own
  // unit.
  struct Place {
    std::string memory, address, count;
  };
  Place place(unsigned longwords) {
    const char* memory = std::array{"sram", "scratch", "sdram"}[pick(3)];
    const unsigned unit = memory == std::string("sdram") ? 2 : 1;
    return {memory, std::string(memory) + "_area + " + std::to_string(8 * pick(8)),
            std::to_string(longwords / unit)};
  }

  void read() {
    const unsigned longwords = 2u << pick(3);
    const Place from = place(longwords);
    const std::string name = "v" + std::to_string(++names_);
    line("u32x" + std::to_string(longwords) + " " + name + " = " + from.memory + "_read" +
         from.count + "(" + from.address + ");");
    vectors_.push_back({name, longwords});
  }

  void write() {
    const unsigned longwords = 2u << pick(3);
    const Place to = place(longwords);
    std::string call = to.memory + "_write" + to.count + "(" + to.address;
    for (unsigned i = 0; i != longwords; ++i)
      call += ", " + value();
    line(call + ");");
  }

  void loop(unsigned depth) {
    const std::string name = "i" + std::to_string(++names_);
    line("for (u32 " + name + " = 0; " + name + " < " + std::to_string(1 + pick(3)) + "; " + name +
         "++) {");
    const std::vector<Vector> outer = vectors_;
    for (unsigned statements = 2 + pick(4); statements; --statements)
      statement(depth + 1);
    vectors_ = outer;
    line("}");
  }

  void statement(unsigned depth) {
    const unsigned kind = pick(12);
    if (kind < 4)
      return read();
    if (kind < 7)
      return write();
    if (kind == 7)
      return line("local[" + std::to_string(pick(6)) + "] = " + value() + " + " + value() + ";");
    if (kind == 8)
      return line("local[(x + " + std::to_string(pick(6)) + ") % 6] ^= " + value() + ";");
    if (kind == 9)
      return line("mix(sram_test_and_set(sram_area + " + std::to_string(pick(8)) + ", " + value() +
                  "));");
    if (kind == 10 && depth < 2)
      return loop(depth);
    line("if (" + value() + " & " + std::to_string(1u << pick(6)) + ") mix(" + value() + ");");
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<Vector> vectors_;
  unsigned names_ = 0;
};

TEST_CASE(
    "programs with more longwords under way than transfer registers compute the same at every "
    "level") {
  constexpr unsigned kPrograms = 12;
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    const std::string source = BurstProgram(seed).text();
    const auto expected = run(source, "bursts.c", options_at(Optimization::kO0)).return_value;
    for (const Optimization level : {Optimization::kO1, Optimization::kO2, Optimization::kOs}) {
      INFO("seed " << seed << " at level " << static_cast<int>(level) << "\n" << source);
      CHECK(run(source, "bursts.c", options_at(level)).return_value == expected);
    }
  }
}

TEST_CASE("a burst of eight read from memory while eight others wait is moved out") {
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  __sram u32 *s = (__sram u32 *)0x200000;
  u32 x = ctx() + 1;
  sram_write8(s, x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7);
  u32x8 a = sram_read8(s), b = sram_read8(s), c = sram_read8(s), d = sram_read8(s), e = sram_read8(s);
  sram_write8(s, a[7], b[6], c[5], d[4], e[3], a[2], b[1], c[0]);
  u32x8 f = sram_read8(s);
  u32 sum = 0;
  for (u32 i = 0; i < 8; i++) sum = sum * 3 + (i == 3 ? f[0] : i == 5 ? f[3] : f[7]);
  return sum + a[0] + b[2] + c[4] + d[6] + e[7] + a[3] + b[5] + c[7] + d[1] + e[2];
}
)";
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < 8; i++)
    sum = sum * 3 + (i == 3 ? 8 : i == 5 ? 5 : 1);
  for (const Optimization level : kLevels)
    CHECK(run(source, "eight.c", options_at(level)).return_value ==
          sum + 1 + 3 + 5 + 7 + 8 + 4 + 6 + 8 + 2 + 3);
}

TEST_CASE("a remainder that the optimiser formed itself has a place in the source") {
  // At O2 the exit value of a loop is computed without it, by instructions that no line names.
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  u32 x = ctx() + 20, local[6] = {1, 2, 3, 4, 5, 6};
  for (u32 i = 0; i < 3; i++) local[(x + 4) % 6] ^= x % 7;
  return local[(x + 4) % 6] + local[(x + 1) % 6];
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "remainder.c", options_at(level)).return_value == (1 ^ 6) + 4);
}

}  // namespace
}  // namespace nplab::test
