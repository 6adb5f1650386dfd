// Words that general transforms save: shifts by computed amounts, parts of longwords, choices on
// one comparison, loops that count down.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

constexpr Optimization kOptimizing[] = {Optimization::kO2, Optimization::kOs};

std::uint32_t value_of(const std::string& source, Optimization level) {
  return run("#include <microengine.h>\n" + source, "test.c", options_at(level)).return_value;
}

TEST_CASE("a mask that keeps the five bits of a shift's amount takes no instruction") {
  const std::string source = "int main(void) { return 5u << (csr_read(thread_done) & 31); }";
  for (const Optimization level : kOptimizing)
    CHECK(count(instructions_of(source, level), "AND") == 0);
  CHECK(count(instructions_of(source, Optimization::kPublished), "AND") == 1);
  for (const char* mask : {"15", "30", "23"}) {
    INFO(mask);
    const std::string kept =
        std::string("int main(void) { return 5u << (csr_read(thread_done) & ") + mask + "); }";
    CHECK(count(instructions_of(kept, Optimization::kO2), "AND") == 1);
  }
}

TEST_CASE("shifts by masked amounts have the value of every amount") {
  const std::string source =
      "int main(void) { volatile __sram u32 *in = (volatile __sram u32 *)0x200000; u32 sum = 0;"
      " for (u32 i = 0; i != 70; i++) { in[0] = i * 3; u32 n = in[0];"
      " sum = (sum << 1 | sum >> 31) ^ 0x12345u << (n & 31) ^ 0xfedcba98u >> (n & 24)"
      " ^ (s32)0x87654321 >> (n << 2 & 28) ^ 7u << (n & 15); } return sum; }";
  const std::uint32_t expected = value_of(source, Optimization::kPublished);
  for (const Optimization level : kOptimizing)
    CHECK(value_of(source, level) == expected);
}

TEST_CASE("a byte at a computed address takes six words") {
  const std::string source =
      "int main(void) { __sram const u8 *p = (__sram const u8 *)csr_read(thread_done);"
      " return p[0]; }";
  for (const Optimization level : kOptimizing) {
    const auto code = instructions_of(source, level);
    CHECK(count(code, "<<indirect") == 1);
    CHECK(code.size() - count(code, "#:") == 1 + 6 + 1);  // and csr[read], ctx_arb[kill]
  }
  CHECK(count(instructions_of(source, Optimization::kPublished), ">>indirect") == 1);
}

TEST_CASE("parts of longwords at computed addresses are read as they stand in memory") {
  const std::string source =
      "struct part { u8 first; u16 second; s8 third; };"
      "int main(void) { volatile __sram u32 *in = (volatile __sram u32 *)0x200000;"
      " in[0] = 0x01823344; in[1] = 0xd5e6f708; u32 sum = 0;"
      " for (u32 i = 0; i != 8; i++) { sum = sum * 31 + ((__sram u8 *)in)[i];"
      " sum = sum * 31 + ((__sram s8 *)in)[i]; sum = sum * 31 + ((__sram u16 *)in)[i >> 1];"
      " sum = sum * 31 + ((__sram s16 *)in)[i >> 1]; } return sum; }";
  const std::uint32_t expected = value_of(source, Optimization::kPublished);
  for (const Optimization level : kOptimizing)
    CHECK(value_of(source, level) == expected);
}

TEST_CASE("what computes a tested value comes down to the branch, and needs no comparison") {
  const std::string source =
      "int main(void) { u32 value = csr_read(thread_done), count = 0;"
      " for (; value; value &= value - 1) count++; return count; }";
  for (const Optimization level : kOptimizing) {
    INFO("before the first round -O2 compares, and -Os tests what it moves");
    CHECK(count(instructions_of(source, level), "alu[--") == (level == Optimization::kO2 ? 1 : 0));
  }
  INFO("where the sum needs the product of its round, nothing comes down");
  const std::string sums =
      "int main(void) { u32 value = 0xdeadbeef, sum = 0; __asm__ volatile(\"\" : \"+r\"(value));"
      " for (; value; value &= value - 1) sum = sum * 5 + value; return sum; }";
  const std::uint32_t expected = value_of(sums, Optimization::kPublished);
  for (const Optimization level : kOptimizing)
    CHECK(value_of(sums, level) == expected);
}

// Both choices of a round are on one comparison, and a sum stands between them.
const std::string kSquareRoot =
    "static u32 square_root(u32 value) {\n  u32 root = 0;\n"
    "  for (u32 bit = 1u << 30; bit; bit >>= 2) {\n    if (value >= root + bit) {\n"
    "      value -= root + bit;\n      root = (root >> 1) + bit;\n    } else {\n"
    "      root >>= 1;\n    }\n  }\n  return root;\n}\n";

TEST_CASE("choices on one comparison share its branch, whatever stands between them") {
  const std::string program =
      kSquareRoot + "int main(void) { return square_root(csr_read(thread_done)); }";
  for (const Optimization level : kOptimizing)
    CHECK(count(instructions_of(program, level), "br") == 2);  // with the loop's own
  const std::string values =
      kSquareRoot +
      "int main(void) { volatile __sram u32 *in = (volatile __sram u32 *)0x200000; u32 sum = 0;"
      " for (u32 i = 0; i != 40; i++) { in[0] = i * i * 1000003; sum = sum * 31 + "
      "square_root(in[0]); } return sum; }";
  const std::uint32_t expected = value_of(values, Optimization::kPublished);
  for (const Optimization level : kOptimizing)
    CHECK(value_of(values, level) == expected);
}

TEST_CASE("what one outcome of a choice needs is computed for that outcome alone") {
  const std::string values =
      "int main(void) { s32 a = csr_read(thread_done), b = csr_read(rcv_cntl);"
      " u32 x = csr_read(rcv_req), y = csr_read(xmit_ptr); ";
  for (const char* result : {"return x + (a < b ? y : 0);", "return x - (a < b ? 0 : y);",
                             "return x ^ (a < b ? y : 0);", "return a < b ? x : (x << 3) + y;"})
    for (const Optimization level : kOptimizing) {
      INFO(result);
      const auto code = instructions_of(values + result + " }", level);
      CHECK(count(code, "immed") == 0);
      CHECK(count(code, "alu[--") + count(code, "br") == 2);
    }
}

TEST_CASE("choices that compute have the value of both outcomes") {
  const std::string source =
      "int main(void) { volatile __sram u32 *in = (volatile __sram u32 *)0x200000; u32 sum = 0;"
      " for (u32 i = 0; i != 50; i++) { in[0] = i * 0x9e3779b1; in[1] = i * 77777777;"
      " u32 a = in[0], b = in[1]; s32 c = a, d = b;"
      " sum = sum * 31 + (c < d ? a >> 3 : 0); sum -= c > d ? b : 0; sum ^= a < b ? 0 : b << 1;"
      " sum |= c <= d ? 0 : 5; sum += (a & 4 ? (b ^ 9) + i : i) - (c < 0 ? a : 0);"
      " u32 e = c < d ? a + b : a, f = c < d ? b : b - i; sum += e ^ f << 1;"
      " sum = sum * 3 + (a & 1 ? a >> 1 ^ 0xedb88320 : a >> 1) - (a == b ? 1 : 0); } return sum; }";
  const std::uint32_t expected = value_of(source, Optimization::kPublished);
  for (const Optimization level : kOptimizing)
    CHECK(value_of(source, level) == expected);
}

TEST_CASE("a limit that is a power of two is tested on the shifted value, if that is needed") {
  const auto code = instructions_of(
      "int main(void) { u32 a = csr_read(thread_done), n = 0;"
      " do { n += a; a >>= 5; } while (a); return n; }",
      Optimization::kO2);
  CHECK(count(code, "alu[--") == 0);
  const std::string values =
      "int main(void) { volatile __sram u32 *in = (volatile __sram u32 *)0x200000; u32 sum = 0;"
      " for (u32 i = 0; i != 32; i++) for (u32 j = 0; j != 3; j++) { in[0] = (1u << i) + j - 1;"
      " u32 a = in[0]; in[1] = a >> 4; if (a < 16) sum = sum * 3 + in[1]; else sum ^= a;"
      " in[2] = a >> 9; if (a > 511) sum = sum * 5 + in[2]; else sum += a; } return sum; }";
  const std::uint32_t expected = value_of(values, Optimization::kPublished);
  for (const Optimization level : kOptimizing)
    CHECK(value_of(values, level) == expected);
}

TEST_CASE("a sum with the low bits of a value takes one instruction") {
  const auto code_of = [](const char* sum, Optimization level) {
    return instructions_of(std::string("int main(void) { u32 a = csr_read(thread_done), b = "
                                       "csr_read(rcv_cntl); return ") +
                               sum + "; }",
                           level);
  };
  for (const Optimization level : kOptimizing) {
    CHECK(count(code_of("a + (b & 0xffff)", level), ", +16, ") == 1);
    CHECK(count(code_of("(a & 255) + b", level), ", +8, ") == 1);
    CHECK(count(code_of("a + (b & 15)", level), ", +4, ") == 1);
    CHECK(count(code_of("(b & 0xffff) + 7", level), "[a0, 7, +16, ") == 1);
    for (const char* sum : {"a + (b & 0xffff)", "(a & 255) + b", "a + (b & 15)"})
      CHECK(count(code_of(sum, level), "alu") == 1);
  }
  CHECK(count(code_of("a + (b & 0xffff)", Optimization::kPublished), ", +16, ") == 0);
  const std::string values =
      "int main(void) { volatile __sram u32 *in = (volatile __sram u32 *)0x200000; u32 sum = 0;"
      " for (u32 i = 0; i != 40; i++) { in[0] = i * 0x9e3779b1; u32 a = in[0];"
      " sum = (sum << 3 | sum >> 29) + (a & 0xffff); sum = (sum ^ a) + (a >> 5 & 255);"
      " sum = (sum & 15) + a * 3; sum ^= (a & 0xffff) + 29; } return sum; }";
  const std::uint32_t expected = value_of(values, Optimization::kPublished);
  for (const Optimization level : kOptimizing)
    CHECK(value_of(values, level) == expected);
}

TEST_CASE("a loop for size steps an address on and counts the rounds that are left") {
  const std::string source =
      "int main(void) { __sram u32 *p = (__sram u32 *)0x200000; u32 n = csr_read(rcv_cntl), sum = "
      "0; for (u32 i = 0; i != n; i++) sum = (sum ^ p[i]) << 1; return sum; }";
  const auto code = instructions_of(source, Optimization::kOs);
  CHECK(count(code, "<<2]") == 0);
  CHECK(count(code, ", +, 4]") == 1);
  CHECK(count(code, ", -, 1]") == 1);
}

}  // namespace
}  // namespace nplab::test
