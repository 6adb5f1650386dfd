// Copies and clears of blocks: that every byte is right, in and around them, and what they cost
// beside bursts that are written by hand.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

struct Memory {
  const char* name;
  unsigned source, target;  // byte addresses apart from variables and frames
  unsigned unit;            // longwords
};
constexpr Memory kMemories[] = {
    {"sram", 0x8000, 0xa000, 1}, {"scratch", 0x400, 0x800, 1}, {"sdram", 0x8000, 0xa000, 2}};

std::uint32_t value_of(const std::string& source, Optimization level) {
  const simulator::ExecResult result =
      run("#include <microengine.h>\n" + source, "test.c", options_at(level));
  INFO(source);
  CHECK_FALSE(result.fault);
  REQUIRE(result.ended);
  return result.return_value;
}

// Byte i from 8 bytes before the source on is 3 i + 7; of the target 0xee. After the operation on
// s and t, blocks of `size` bytes, `expected` is byte i of the target, counted from its start, and
// what lies around it is as it was. The program returns the number of wrong bytes.
std::string checked(const Memory& from, const Memory& to, unsigned offset, unsigned size,
                    const std::string& block, const std::string& operation,
                    const std::string& expected) {
  return fmt::format(R"(
struct Block {{ {4} }};
volatile __sram u32 zero;
int main(void) {{
  volatile __{0} u8 *before = (__{0} u8 *){6};
  volatile __{1} u8 *around = (__{1} u8 *){7};
  for (u32 i = 0; i < {3} + 16; i++) before[i] = 3 * i + 7;
  for (u32 i = 0; i < {3} + 16; i++) around[i] = 0xee;
  __{0} struct Block *s = (__{0} struct Block *)((u32)before + 8 + zero);
  __{1} struct Block *t = (__{1} struct Block *)((u32)around + 8 + zero);
  {5}
  u32 wrong = 0;
  for (u32 i = 0; i < 8; i++) wrong += around[i] != 0xee;
  for (u32 i = 0; i < {3}; i++) wrong += around[i + 8] != (u8)({8});
  for (u32 i = {3}; i < {3} + 8; i++) wrong += around[i + 8] != 0xee;
  return wrong;
}}
)",
                     from.name, to.name, 0, size, block, operation, from.source + offset,
                     to.target + offset, expected);
}

struct Block {
  const char* member;
  unsigned size, offset;  // bytes
};

TEST_CASE("a copied structure has all bytes of its source, and nothing around it changes") {
  const Block block =
      GENERATE(Block{"u32 w[1];", 4, 4}, Block{"u32 w[3];", 12, 0}, Block{"u32 w[9];", 36, 4},
               Block{"u64 q[5];", 40, 0}, Block{"u64 q[13];", 104, 0}, Block{"u8 b[7];", 7, 3},
               Block{"u8 b[37];", 37, 0}, Block{"u8 b[41];", 41, 5}, Block{"u16 h[9];", 18, 2});
  for (const Optimization level : {Optimization::kO2, Optimization::kOs})
    for (const Memory& from : kMemories)
      for (const Memory& to : kMemories)
        CHECK(value_of(checked(from, to, block.offset, block.size, block.member, "*t = *s;",
                               "3 * (i + 8) + 7"),
                       level) == 0);
}

TEST_CASE("a cleared structure is zero, and nothing around it changes") {
  const Block block =
      GENERATE(Block{"u32 w[2];", 8, 4}, Block{"u32 w[31];", 124, 0}, Block{"u64 q[40];", 320, 0},
               Block{"u8 b[23];", 23, 1}, Block{"u8 b[64];", 64, 4});
  for (const Optimization level : {Optimization::kO2, Optimization::kOs})
    for (const Memory& to : kMemories)
      CHECK(value_of(checked(kMemories[0], to, block.offset, block.size, block.member,
                             "(void)s; *t = (struct Block){0};", "0"),
                     level) == 0);
}

// Plain variables, of which LLVM knows where they start.
std::string with_bytes(const std::string& operation) {
  return R"(
u8 bytes[160], other[160];
static u32 sum(void) {
  u32 all = 0;
  for (u32 i = 0; i < 160; i++) all = (all << 5 | all >> 27) ^ bytes[i] ^ other[i] << 8;
  return all;
}
int main(void) {
  u32 n = shared_read(0);
  for (u32 i = 0; i < 160; i++) bytes[i] = i * 7, other[i] = 200 - i;
  )" + operation +
         "\n  return sum();\n}\n";
}

TEST_CASE("memcpy, memmove and memset of any length give what the loops over bytes of -O0 give") {
  const std::string operation = GENERATE(
      "__builtin_memcpy(bytes, other, 31);", "__builtin_memcpy(bytes + 4, other + 8, 67);",
      "__builtin_memcpy(bytes + 3, other + 3, 50);", "__builtin_memcpy(bytes, other, n + 95);",
      "__builtin_memcpy(bytes + n, other + n + 1, n + 33);",
      "__builtin_memmove(bytes + 4, bytes, 30);", "__builtin_memmove(bytes + 4, bytes, 135);",
      "__builtin_memmove(bytes, bytes + 4, 134);",
      "__builtin_memmove(bytes + n + 8, bytes + n, 41);",
      "__builtin_memmove(bytes + n, bytes + n + 12, n + 90);",
      "__builtin_memmove(bytes + 9, bytes + 4, 70);", "__builtin_memset(bytes, 0x5a, 43);",
      "__builtin_memset(bytes + 8, n + 3, 129);", "__builtin_memset(bytes + 5, 1, n + 40);",
      "__builtin_memcpy(bytes, other, n);");
  const std::string source = with_bytes(operation);
  const std::uint32_t expected = value_of(source, Optimization::kO0);
  for (const Optimization level : {Optimization::kO2, Optimization::kOs})
    CHECK(value_of(source, level) == expected);
}

// A burst of so many longwords by its intrinsics, from s to t.
std::string burst_by_hand(const Memory& from, const Memory& to, unsigned at, unsigned longwords) {
  std::string values;
  for (unsigned i = 0; i != longwords; ++i)
    values += longwords == 1 ? ", v" : fmt::format(", v[{}]", i);
  const auto count = [&](const Memory& memory) {
    const unsigned units = longwords / memory.unit;
    return units == 1 && memory.unit == 1 ? std::string() : std::to_string(units);
  };
  return fmt::format("{{ u32{0} v = {1}_read{2}(s + {3}); {4}_write{5}(t + {3}{6}); }}\n",
                     longwords == 1 ? "" : "x" + std::to_string(longwords), from.name, count(from),
                     at, to.name, count(to), values);
}

std::string bursts_by_hand(const Memory& from, const Memory& to, unsigned longwords) {
  std::string text;
  for (unsigned at = 0; at < longwords; at += 8)
    text += burst_by_hand(from, to, at, std::min(longwords - at, 8u));
  return text;
}

unsigned cycles_of(const Memory& from, const Memory& to, unsigned longwords,
                   const std::string& copy) {
  return value_of(fmt::format(R"(
typedef struct {{ {5} }} Block;
volatile __sram u32 zero;
int main(void) {{
  __{0} u32 *s = (__{0} u32 *)({2} + (zero & ~7u));
  __{1} u32 *t = (__{1} u32 *)({3} + (zero & ~7u));
  u32 start = cycle_count();
  {4}
  return cycle_count() - start;
}}
)",
                              from.name, to.name, from.source, to.target, copy,
                              longwords % 2 == 0 ? fmt::format("u64 q[{}];", longwords / 2)
                                                 : fmt::format("u32 w[{}];", longwords)),
                  Optimization::kO2);
}

// The registers and memories of a loop's pointers, and whether it is bursts.
struct Loop {
  const char *from, *to, *value;
  bool is_bursts;
};

TEST_CASE("a loop that copies or clears is bursts where its pointers cannot be in its way") {
  const Loop loop =
      GENERATE(Loop{"__sram", "__scratch", "s[i]", true}, Loop{"__sdram", "__sram", "s[i]", true},
               Loop{"__sram", "__sram", "0", true}, Loop{"__sram", "__sram", "s[i]", false});
  const auto code = instructions_of(
      fmt::format("int main(void) {{ {0} u32 *s = ({0} u32 *)(0x8000 + shared_read(0) * 8);"
                  " {1} u32 *t = ({1} u32 *)(0x400 + shared_read(1) * 8);"
                  " for (u32 i = 0; i < 16; i++) t[i] = {2}; return 0; }}",
                  loop.from, loop.to, loop.value),
      Optimization::kO2);
  CAPTURE(loop.from, loop.to, loop.value);
  CHECK((count(code, ", 8]") >= 2) == loop.is_bursts);
}

TEST_CASE("a copied structure takes at most 1.1 times the cycles of bursts by hand") {
  const unsigned longwords = GENERATE(1u, 2u, 4u, 8u, 16u, 24u, 32u, 48u, 64u);
  for (const Memory& from : kMemories)
    for (const Memory& to : kMemories) {
      if (longwords == 1 && (from.unit == 2 || to.unit == 2))
        continue;  // half of a quadword is no burst
      const unsigned by_hand = cycles_of(from, to, longwords, bursts_by_hand(from, to, longwords));
      const unsigned compiled =
          cycles_of(from, to, longwords,
                    fmt::format("*(__{} Block *)t = *(__{} Block *)s;", to.name, from.name));
      CAPTURE(from.name, to.name, longwords, by_hand, compiled);
      CHECK(compiled <= 1.1 * by_hand);
    }
}

}  // namespace
}  // namespace nplab::test
