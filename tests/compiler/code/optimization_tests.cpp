// What -O2 makes of small programs beyond LLVM's own passes: bursts, condition codes, order of
// blocks, slots from successors. That the programs still compute the same is program_tests.cpp's
// and the random programs' matter; where a pass could go wrong in a way of its own, the program
// runs here.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

std::vector<std::string> optimized(const std::string& source) {
  return instructions_of(source, Optimization::kO2);
}

std::uint32_t value_of(const std::string& source, Optimization level) {
  return run("#include <microengine.h>\n" + source, "test.c", options_at(level)).return_value;
}

const std::string kAt = "#define AT(address) (*(__sram u32 *)(address))\n";

TEST_CASE("reads of neighbouring addresses become one burst of any length") {
  const std::string source =
      kAt +
      "int main(void) { u32 p = csr_read(thread_done);"
      " return (AT(p) ^ AT(p + 4)) + (AT(p + 8) ^ AT(p + 12)) + (AT(p + 16) ^ AT(p + 20)); }";
  const auto code = optimized(source);
  CHECK(count(code, "sram[read") == 1);
  CHECK(count(code, ", 6], ctx_swap") == 1);
  CHECK(count(instructions_of(source, Optimization::kPublished), "sram[read") == 6);
}

TEST_CASE("quadwords of which a half each is used become one burst") {
  const auto code = optimized(
      "int main(void) { __sdram u32 *p = (__sdram u32 *)(csr_read(thread_done) & ~7); return p[0] "
      "^ p[2] ^ p[5]; }");
  CHECK(count(code, "sdram[read, $$0, b0, 0, 3], ctx_swap") == 1);
}

TEST_CASE(
    "writes of neighbouring addresses become one burst of any length where the last of them "
    "stood") {
  const std::string source =
      kAt +
      "int main(void) { u32 p = csr_read(thread_done), q = csr_read(rcv_cntl);"
      " AT(p + 8) = q; AT(p) = q + 1; AT(p + 4) = q + 2; return q; }";
  const auto code = optimized(source);
  CHECK(count(code, "sram[write") == 1);
  CHECK(count(code, ", 0, 3], ctx_swap") == 1);
  CHECK(count(instructions_of(source, Optimization::kPublished), "sram[write") == 3);
  const auto quadwords = optimized(
      "int main(void) { __sdram u64 *p = (__sdram u64 *)(csr_read(thread_done) & ~7);"
      " p[0] = 1; p[1] = 2; p[2] = 3; return 0; }");
  CHECK(count(quadwords, "sdram[write") == 1);
}

TEST_CASE("no write passes a read or write that may touch the same place, nor a volatile one") {
  const std::string between[] = {"q ^= AT(q);", "AT(q) = 7;", "*(volatile __sram u32 *)q = 7;",
                                 "ctx_swap_voluntary();"};
  for (const std::string& access : between) {
    INFO(access);
    const auto code =
        optimized(kAt +
                  "int main(void) { u32 p = csr_read(thread_done), q = csr_read(rcv_cntl);"
                  " AT(p) = q; " +
                  access + " AT(p + 4) = q; return q; }");
    CHECK(count(code, ", 0, 1], ctx_swap") + count(code, ", 0, 1]") >= 1);
    CHECK(count(code, ", 0, 2]") == 0);
  }
}

TEST_CASE("a count by a comparison and a sum by a sign take no branch") {
  const std::string prologue =
      "int main(void) { u32 a = csr_read(thread_done), b = csr_read(rcv_cntl), n = "
      "csr_read(rcv_req);";
  const char* choices[] = {"n += a < b;", "n += a == b;", "if (a != 0) n += 1;",
                           "if ((int)a < 0) n += b;", "n = (int)a >= 0 ? 3 : 19;"};
  for (const char* choice : choices) {
    INFO(choice);
    const std::string source = prologue + choice + " return n; }";
    CHECK(count(optimized(source), "br") == 0);
    CHECK(count(instructions_of(source, Optimization::kPublished), "br") > 0);
  }
}

TEST_CASE("a choice by a sign may share its summand with the sum that it chooses") {
  const std::string source =
      "int main(void) { volatile __sram u32 *in = (volatile __sram u32 *)0x200000;"
      " in[0] = 0x80000001; in[1] = 5; in[2] = 6; u32 a = in[0], n = in[1], x = in[2];"
      " u32 k = x ^ (n << 3), s = n + k; return ((int)a < 0 ? s : n) ^ s << 8; }";
  CHECK(count(optimized(source), "+IFsign") == 1);
  CHECK(value_of(source, Optimization::kO2) == value_of(source, Optimization::kO0));
}

TEST_CASE("half of a sum of 64 bits may be a comparison's value") {
  const std::string source =
      "int main(void) { volatile __sram u32 *in = (volatile __sram u32 *)0x200000;"
      " in[0] = 7; in[1] = 9; in[2] = 0xffffffff; u32 a = in[0], b = in[1], c = in[2];"
      " u64 sum = ((u64)a << 32 | (a < b)) + ((u64)b << 32 | c);"
      " return (u32)(sum >> 32) * 3 + (u32)sum; }";
  CHECK(value_of(source, Optimization::kO2) == 17 * 3);
  CHECK(value_of(source, Optimization::kO0) == 17 * 3);
}

TEST_CASE("a loop whose join alone needs a constant that follows it compiles at every level") {
  const std::string source =
      "short d; static int g; static unsigned long long q = 1;"
      "int main(void) { q++; again:"
      " for (g = 0; g != -26; g = (short)(g - d)) if (0 >= (0 < q)) goto again;"
      " for (;;) ; }";
  for (const Optimization level : {Optimization::kO1, Optimization::kO2, Optimization::kOs}) {
    Diagnostics diagnostics;
    CHECK(compiler::compile_to_assembly(source, "test.c", options_at(level), diagnostics));
  }
}

TEST_CASE("volatile reads stay apart, and each is made") {
  const auto sram = optimized(
      "int main(void) { volatile __sram u32 *p = (volatile __sram u32 *)csr_read(thread_done); u32 "
      "a = p[0];"
      " return a ^ p[1]; }");
  CHECK(count(sram, "sram[read") == 2);
  const auto sdram = optimized(
      "int main(void) { volatile __sdram u32 *p = (volatile __sdram u32 *)(csr_read(thread_done) & "
      "~7); u32 a = p[0];"
      " a ^= p[1]; return a ^ p[0]; }");
  CHECK(count(sdram, "sdram[read") == 3);
}

TEST_CASE("no read is merged with one in front of a store") {
  const auto code =
      optimized(kAt +
                "int main(void) { u32 p = csr_read(thread_done), a = AT(p); AT(p + 4) = a + 1;"
                " return a ^ AT(p + 4) ^ AT(p + 8); }");
  CHECK(count(code, "sram[read") == 2);
}

TEST_CASE("no read moves in front of an atomic one that may say that it has been written") {
  const auto code = optimized(
      "#include <stdatomic.h>\nint main(void) { __sram u32 *data = (__sram u32 "
      "*)csr_read(thread_done);"
      " __sram _Atomic u32 *flag = (__sram _Atomic u32 *)csr_read(rcv_cntl); u32 old = data[0];"
      " u32 ready = atomic_load(flag); u32 value = data[1]; return (old + ready) ^ value; }");
  CHECK(count(code, "sram[read") == 3);
}

TEST_CASE("both halves of a quadword come with one reference, over a branch too") {
  const auto code = optimized(
      "int main(void) { __sdram u32 *p = (__sdram u32 *)(csr_read(thread_done) & ~7); u32 a = p[0];"
      " if (a == 7) return 1; return a + p[1]; }");
  CHECK(count(code, "sdram[read") == 1);
}

TEST_CASE("a value that was computed or moved is not compared with zero again") {
  const auto code = optimized(kAt +
                              "int main(void) { u32 n = 0, p = csr_read(thread_done);"
                              " do { p = AT(p + 8); ++n; } while (p); return n; }");
  CHECK(count(code, "alu[--") == 0);
  CHECK(count(code, "br!=0") == 1);
}

// The bit branch may have three slots; two are found, one of them the loop's first instruction.
const std::string kFirstBit =
    "int main(void) { u32 bits = csr_read(thread_done) | 1, n = 0;"
    " while (!(bits & 0x80000000)) { bits <<= 1; n += 1; } return n; }";

TEST_CASE("a guessed branch back takes its loop's first instruction into a slot") {
  const auto code = optimized(kFirstBit);
  CHECK(count(code, "br_bclr[b0, 31, .LBB0_3#], defer[2], guess_branch") == 1);
  CHECK(count(code, "<<1") == 2);
  CHECK(value_of(kFirstBit, Optimization::kO2) == 31);
}

TEST_CASE("a round of a loop has no unconditional branch that another order of blocks saves") {
  const auto code = optimized(kAt +
                              "int main(void) { u32 sum = 0, p = csr_read(thread_done);\n"
                              "  for (u32 round = csr_read(rcv_cntl); round; --round) {\n"
                              "    __asm__ volatile(\"\" : : : \"memory\");\n"
                              "    if (AT(p) == round) { sum += AT(p + 8); continue; }\n"
                              "    sum ^= round;\n"
                              "  }\n"
                              "  return sum; }");
  CHECK(count(code, "br[") <= 1);
}

// The key is shifted in the slot of the reference, far enough from the branch on its sign.
TEST_CASE("a sign is tested by the condition codes that its shift set in a swap's slot") {
  const std::string source = kAt +
                             "int main(void) { u32 key = csr_read(thread_done), p = 0x100;"
                             " do { u32 a = AT(p), b = AT(p + 4); key <<= 1;"
                             "      p = key & 0x80000000 ? a : b; } while (!(p & 1));"
                             " return p; }";
  const auto code = optimized(source);
  CHECK(count(code, "br<0[") + count(code, "br>=0[") == 1);
  CHECK(count(instructions_of(source, Optimization::kPublished), ", 31, ") == 1);
}

TEST_CASE("a sign that a sum set is tested by its bit: overflow would turn the codes around") {
  const std::string source =
      "int main(void) { u32 a = 0x7ffffff0 + ctx();"
      " do { a += 5; (void)*(volatile __sram u32 *)256; } while (!(a & 0x80000000));"
      " return a & 0xff; }";
  CHECK(value_of(source, Optimization::kO2) == 4);
  CHECK(count(optimized(source), "br_bclr[") == 1);
  CHECK(count(optimized(source), "br<0[") + count(optimized(source), "br>=0[") == 0);
}

TEST_CASE("the value of a comparison takes no branch, except at -Os") {
  for (const char* test : {"a < b", "a >= b", "a > 7", "a <= 7", "a == b", "a != b", "a == 0",
                           "a != 0", "a < b ? 4 : 3", "a == 9 ? 7 : 8"}) {
    INFO(test);
    const std::string source =
        std::string(
            "int main(void) { u32 a = csr_read(thread_done), b = csr_read(rcv_cntl);"
            " u32 n = ") +
        test + "; console_hex(n + b); return a + n; }";
    CHECK(count(optimized(source), "br") == 0);
    CHECK(count(instructions_of(source, Optimization::kOs), "br") == 1);
  }
}

TEST_CASE("values of comparisons are right at the ends of the range") {
  const std::string source = R"(
volatile __sram u32 values[] = {0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < 8; ++i)
    for (u32 j = 0; j < 8; ++j) {
      u32 a = values[i], b = values[j];
      u32 n = a < b;
      n = n * 2 + (a <= b); n = n * 2 + (a > b); n = n * 2 + (a >= b); n = n * 2 + (a == b); n = n * 2 + (a != b);
      n = n * 2 + (a == 0); n = n * 2 + (b != 0); n = n * 2 + (a < 7); n = n * 2 + (b > 7 ? 0 : 1);
      n = n * 2 + ((int)a < (int)b);
      sum = (sum << 5 | sum >> 27) ^ (n + (a == 8 ? 3 : 4));
    }
  return sum;
})";
  const std::uint32_t expected = value_of(source, Optimization::kO0);
  for (const Optimization level : kLevels)
    CHECK(value_of(source, level) == expected);
}

// Of the two ways one has a count and the other none, or 0: only 0 says that it was never taken.
TEST_CASE("a line that a profile lacks says nothing, one with 0 was never executed") {
  const std::string source =
      "#include <microengine.h>\n"
      "int main(void) { u32 v = csr_read(thread_done);\n"
      "  if (v & 4)\n"
      "    v = csr_read(rcv_cntl);\n"
      "  else\n"
      "    v += cycle_count();\n"
      "  return v; }\n";
  const auto compiled = [&](const std::vector<compiler::LineCount>& profile) {
    auto options = options_at(Optimization::kO2);
    options.profile = profile;
    Diagnostics diagnostics;
    const auto text = compiler::compile_to_assembly(source, "test.c", options, diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(text);
    return *text;
  };
  const std::string unknown = compiled({{"test.c", 4, 100}});
  CHECK(unknown != compiled({{"test.c", 4, 100}, {"test.c", 6, 0}}));
  CHECK(unknown == compiled({{"test.c", 7, 100}}));
}

TEST_CASE("loops over lists, tables and bits give the same at every level") {
  const std::string source = R"(
__sram u32 list[24] = {[1] = 5, [8] = 7, [9] = 11, [17] = 3};
__sdram u64 words[4] = {1, 0x100000000, 6, 0x8000000000};
static u32 first_bit(u32 bits) { u32 n = 0; while (!(bits & 0x80000000)) { bits <<= 1; ++n; } return n; }
int main(void) {
  u32 sum = 0;
  list[0] = (u32)&list[8]; list[8 + 2] = 1; list[8] = (u32)&list[16];
  for (__sram u32 *p = list; p; p = (__sram u32 *)p[0]) {
    if (p[1] < 4 || p[2] > 3) sum += 100;
    else sum = sum * 3 + p[1] + p[2];
  }
  for (u32 i = 0; i < 4; ++i) {
    u32 high = words[i] >> 32, low = words[i];
    if (high) sum += first_bit(high);
    else if (low) sum ^= first_bit(low) << i;
  }
  return sum;
})";
  const std::uint32_t expected = value_of(source, Optimization::kO0);
  for (const Optimization level : kLevels)
    CHECK(value_of(source, level) == expected);
}

TEST_CASE("an order of 64 bits is four words and one branch") {
  for (const std::string order : {"<", "<=", ">", ">="})
    for (const std::string type : {"u64", "s64"}) {
      const auto code =
          optimized("int main(void) { " + type + " a = (" + type +
                    ")csr_read(thread_done) << 32 | csr_read(rcv_cntl), b = (" + type +
                    ")csr_read(rcv_req) << 32 | csr_read(xmit_ptr);"
                    " if (a " +
                    order + " b) sram_write((__sram u32 *)0x40, 1); return 0; }");
      INFO(type << " " << order);
      CHECK(count(code, "br") == 1);
      CHECK(count(code, "alu[--, ") == 2);
      CHECK(count(code, "~B") == 1);
    }
}

TEST_CASE("orders of 64 bits hold at their borders, as branches, values and choices") {
  std::string source =
      "static u32 sum;\nstatic void add(u32 v) { sum = sum * 5 + v; }\n"
      "__sram u64 cases[7] = {0, 1, 0xffffffff, 0x100000000, 0x7fffffffffffffff, "
      "0x8000000000000000, 0xffffffffffffffff};\n"
      "int main(void) {\n  for (u32 i = 0; i < 7; i++) for (u32 j = 0; j < 7; j++) "
      "{\n    u64 a = cases[i], b = cases[j]; s64 c = a, d = b; u64 least = a, "
      "most = b;\n";
  for (const std::string order : {"<", "<=", ">", ">=", "==", "!="}) {
    source += "    add(a " + order + " b); add(c " + order + " d); if (a " + order +
              " b) add(3); if (c " + order + " d) add(7);\n    add((u32)(a " + order +
              " b ? a : j)); add((u32)(c " + order + " d ? i : b));\n";
    for (const std::string constant : {"0", "1", "0x100000000", "0x7fffffffffffffff", "-1", "31"})
      source += "    add(a " + order + " (u64)" + constant + " ? 3 : 9); add(c " + order +
                " (s64)" + constant + " ? i : 4);\n";
  }
  source +=
      "    if (a > b) least = b, most = a; add(least); add(least >> 32); add(most);\n  }\n"
      "  return sum;\n}\n";
  const std::uint32_t expected = value_of(source, Optimization::kO1);
  for (const Optimization level : {Optimization::kO2, Optimization::kOs})
    CHECK(value_of(source, level) == expected);
}

TEST_CASE("choices on one comparison share its branch") {
  const std::string source =
      "int main(void) { s32 a = csr_read(thread_done), b = csr_read(rcv_cntl), c = "
      "csr_read(rcv_req);"
      " s32 low = a < b ? a : c, high = a < b ? c : b; return low * 3 ^ high; }";
  const auto code = optimized(source);
  CHECK(count(code, "alu[--, ") == 1);
  CHECK(count(code, "br<0[") + count(code, "br>=0[") == 1);
}

}  // namespace
}  // namespace nplab::test
