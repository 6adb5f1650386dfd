// Functions that are called instead of being copied into their callers: which ones, and that what
// they compute, keep and wait for is right.
#include <catch2/catch.hpp>
#include <random>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

simulator::ExecResult result_of(const std::string& source, Optimization level,
                                unsigned threads = 1) {
  INFO(source);
  simulator::ExecResult result =
      run("#include <microengine.h>\n" + source, "test.c", options_at(level), threads);
  CHECK_FALSE(result.fault);
  REQUIRE(result.ended);
  return result;
}

// The value that every level gives.
std::uint32_t agreed_value(const std::string& source) {
  const std::uint32_t expected = result_of(source, Optimization::kO0).return_value;
  for (const Optimization level : {Optimization::kO2, Optimization::kOs})
    CHECK(result_of(source, level).return_value == expected);
  return expected;
}

compiler::CompileReport report_of(const std::string& source, compiler::CompileOptions options) {
  Diagnostics diagnostics;
  compiler::CompileReport report;
  const auto object = compiler::compile_to_object("#include <microengine.h>\n" + source, "test.c",
                                                  options, diagnostics, &report);
  INFO(diagnostics.to_string());
  REQUIRE(object);
  return report;
}

const std::string kMix =
    "__attribute__((noinline)) static u32 mix(u32 a, u32 b) { return (a << 7 ^ a >> 3) + b; }\n";

TEST_CASE("a function that refuses to be inlined is one copy that is called, at -O2 and -Os") {
  const std::string source =
      kMix + "int main(void) { u32 x = ctx(); return mix(mix(mix(x, 5), 7), x); }";
  for (const Optimization level : {Optimization::kO2, Optimization::kOs}) {
    const auto code = instructions_of(source, level);
    CHECK(count(code, "rtn[") == 1);
    CHECK(count(code, "load_addr[") == 3);
    CHECK(count(code, "br[mix#], defer[1]") == 3);
  }
  CHECK(count(instructions_of(source, Optimization::kPublished), "rtn[") == 0);
  CHECK(count(instructions_of(source, Optimization::kO0), "rtn[") == 0);
  agreed_value(source);
}

TEST_CASE("the report names what is called, and from how many places") {
  const auto report =
      report_of(kMix + "int main(void) { u32 x = ctx(); return mix(mix(mix(x, 5), 7), x); }",
                options_at(Optimization::kO2));
  REQUIRE(report.calls.size() == 1);
  CHECK(report.calls[0].name == "mix");
  CHECK(report.calls[0].places == 3);
}

TEST_CASE("at -Os a function of many instructions and callers is called, and a small one is not") {
  const std::string source =
      "static u32 large(u32 a, u32 b) { a ^= b << 3; b += a >> 5; a += b ^ a << 9; b ^= a >> 13;"
      " a -= b << 2; b += a ^ b >> 7; return a ^ b << 11; }\n"
      "static u32 small(u32 a) { return a + 1; }\n"
      "int main(void) { u32 x = ctx(), y = shared_read(0); for (u32 i = 0; i < 4; i++)"
      " x = small(large(x, y)), y = small(large(y, x + 3)); return large(y, y + 5) + small(y); }";
  const auto code = instructions_of(source, Optimization::kOs);
  CHECK(count(code, "br[large#]") == 3);
  CHECK(count(code, "br[small#]") == 0);
  CHECK(count(instructions_of(source, Optimization::kO2), "br[large#]") == 0);
  agreed_value(source);
}

TEST_CASE("a function that demands to be inlined is, at -Os") {
  const std::string source =
      "__attribute__((always_inline)) static u32 f(u32 a, u32 b) { a ^= b << 3; b += a >> 5; a += "
      "b "
      "^ a << 9; b ^= a >> 13; a -= b << 2; return a ^ b << 11; }\n"
      "int main(void) { u32 x = ctx(); return f(f(f(x, 1), 2), f(x, 3)); }";
  CHECK(count(instructions_of(source, Optimization::kOs), "rtn[") == 0);
}

TEST_CASE("at -Os division is one routine for all places") {
  const std::string source =
      "int main(void) { u32 a = shared_read(0) + 1000, b = shared_read(1) + 7;"
      " return a / b + a / (b + 1) + a / (b + 2) + a / (b + 5); }";
  const auto code = instructions_of(source, Optimization::kOs);
  CHECK(count(code, "rtn[") == 1);
  CHECK(count(code, "br[__me_rt_divide#]") == 4);
  CHECK(agreed_value(source) == 1000 / 7 + 1000 / 8 + 1000 / 9 + 1000 / 12);
}

TEST_CASE("a program that only fits with calls is compiled with them at -O2") {
  std::string source =
      "static u32 f(u32 a, u32 b) { a ^= b << 3; b += a >> 5; a += b ^ a << 9; b ^= a >> 13; a -= "
      "b "
      "<< 2; b += a ^ b >> 7; return a ^ b << 11; }\n"
      "int main(void) { u32 x = ctx();\n";
  for (unsigned i = 0; i != 40; ++i)
    source +=
        "  x = f(x, shared_read(" + std::to_string(i % 8) + ") + " + std::to_string(i) + ");\n";
  source += "  return x; }\n";
  compiler::CompileOptions options = options_at(Optimization::kO2);
  const std::uint32_t inlined = report_of(source, options).words;
  CHECK(report_of(source, options).calls.empty());
  options.control_store_words = inlined - 1;
  const auto report = report_of(source, options);
  CHECK(report.words < inlined / 2);
  REQUIRE(report.calls.size() == 1);
  CHECK(report.calls[0].places == 40);
  const simulator::ExecResult result =
      run("#include <microengine.h>\n" + source, "test.c", options);
  CHECK(result.return_value == result_of(source, Optimization::kO0).return_value);
}

TEST_CASE("arguments and results of up to eight and four longwords come through") {
  agreed_value(
      "typedef struct { u32 a; u64 b; } Pair;\n"
      "__attribute__((noinline)) static u64 f(u64 a, u32 b, u64 c, u8 d, s16 e) { return (a ^ c) * "
      "3 + b + d - e; }\n"
      "__attribute__((noinline)) static u32 g(u32 a, u32 b, u32 c, u32 d, u32 e, u32 h, u32 i, u32 "
      "j) { return a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4 ^ h << 5 ^ i << 6 ^ j << 7; }\n"
      "__attribute__((noinline)) static Pair p(u32 a) { return (Pair){a * 5, (u64)a << 35 | 9}; }\n"
      "__attribute__((noinline)) static s8 narrow(s8 a, u16 b) { return a + (b >> 3); }\n"
      "int main(void) { u32 x = shared_read(0) + 77; Pair q = p(x);\n"
      "  u64 r = f(0x123456789abcdefull * (x | 1), x, q.b, x * 9, -x);\n"
      "  return g(x, r, r >> 32, q.a, q.b, q.b >> 32, narrow(x * 3, x * 70), 8) ^ f(r, 1, 2, 3, "
      "4); "
      "}");
}

// More calls below each other than there are registers for return addresses, too.
TEST_CASE("a call deep in others returns to where each of them was called from") {
  std::string source =
      "__attribute__((noinline)) static u32 f0(u32 a) { return a * 3 ^ a >> 2; }\n";
  for (unsigned i = 1; i != 14; ++i)
    source += "__attribute__((noinline)) static u32 f" + std::to_string(i) + "(u32 a) { return f" +
              std::to_string(i - 1) + "(a + 1) * 5 + a; }\n";
  agreed_value(source + "int main(void) { return f3(shared_read(0) + 3) ^ f2(9); }");
  agreed_value(source + "int main(void) { return f13(shared_read(0) + 3) ^ f5(9) ^ f12(1); }");
}

TEST_CASE("values that live across a call are in registers that it leaves alone, or in the frame") {
  std::string source =
      kMix +
      "__attribute__((noinline)) static u32 many(u32 s) {\n  volatile __sram u32 *p "
      "= (__sram u32 *)0x200000;\n";
  for (unsigned i = 0; i != 26; ++i)
    source += "  u32 v" + std::to_string(i) + " = p[" + std::to_string(i) + "] + s;\n";
  source += "  u32 r = mix(s, 3);\n";
  for (unsigned i = 0; i != 26; ++i)
    source += "  r = mix(r, v" + std::to_string(i) + ") ^ v" + std::to_string(25 - i) + ";\n";
  source +=
      "  return r;\n}\nint main(void) {\n  volatile __sram u32 *p = (__sram u32 *)0x200000;\n"
      "  for (u32 i = 0; i < 26; i++) p[i] = i * 0x1234567;\n"
      "  u32 a = shared_read(0) + 5, b = a * 77;\n  return many(a) ^ many(b) ^ a << 3 ^ b; }";
  agreed_value(source);
}

TEST_CASE("locals in memory of a function and of those that it calls are apart, in each thread") {
  const std::string source =
      "#define GOOD ((volatile __sram u32 *)0x300800)\n"
      "__attribute__((noinline)) static u32 inner(u32 k) { u32 t[7]; for (u32 i = 0; i < 7; i++) "
      "t[i] "
      "= i * k; ctx_swap(); return t[k % 7] + t[(k + 3) % 7]; }\n"
      "__attribute__((noinline)) static u32 outer(u32 k) { u32 t[9]; for (u32 i = 0; i < 9; i++) "
      "t[i] "
      "= i + k; u32 s = 0; for (u32 i = 0; i < 9; i++) s += inner(k + i) ^ t[(k + i) % 9]; return "
      "s; "
      "}\n"
      "__attribute__((noinline)) static u32 by_pointer(u32 *p, u32 k) { ctx_swap(); p[k & 3] += "
      "inner(k); return p[(k + 1) & 3]; }\n"
      "int main(void) { u32 mine[4] = {ctx(), 2, 3, 4}; u32 r = outer(ctx() + 2) ^ inner(5);\n"
      "  for (u32 i = 0; i < 6; i++) r = r * 5 + by_pointer(mine, r + i);\n"
      "  GOOD[ctx()] = r | 1; while (!GOOD[0] || !GOOD[1] || !GOOD[2] || !GOOD[3]) ctx_swap();\n"
      "  return GOOD[0] * 3 ^ GOOD[1] * 5 ^ GOOD[2] * 7 ^ GOOD[3] * 11; }";
  const std::uint32_t expected = result_of(source, Optimization::kO0, 4).return_value;
  CHECK(result_of(source, Optimization::kO2, 4).return_value == expected);
  CHECK(result_of(source, Optimization::kOs, 4).return_value == expected);
}

TEST_CASE("references of a caller do not stay under way over a call") {
  agreed_value(
      "__attribute__((noinline)) static u32 sum(__sram u32 *p) { return p[0] + p[1] * 3 + p[9]; }\n"
      "int main(void) { __sram u32 *p = (__sram u32 *)(0x200000 + (shared_read(0) & ~3)); __sdram "
      "u32 "
      "*q = (__sdram u32 *)(0x4000 + (shared_read(0) & ~7));\n"
      "  for (u32 i = 0; i < 16; i++) p[i] = i * i, q[i] = i << 9;\n"
      "  u32 a = p[3], b = p[4], c = sum(p), d = p[5] + q[2]; p[1] = a + c; p[2] = d; u32 e = "
      "sum(p + "
      "1);\n"
      "  return a ^ b << 3 ^ c << 6 ^ d << 9 ^ e ^ q[3] ^ p[2]; }");
}

TEST_CASE("in an atomic section nothing is called") {
  CHECK(count(instructions_of(
                  kMix + "int main(void) { u32 x = shared_read(0); atomic_begin(); shared_write(0, "
                         "mix(x, 2)); x = mix(x, 4); atomic_end(); return mix(x, 3); }",
                  Optimization::kO2),
              "rtn[") == 0);
}

TEST_CASE("a program with references that signal still calls the runtime's routines at -Os") {
  const std::string source =
      "int main(void) { __sram u32 *p = (__sram u32 *)0x200000; u32 n = shared_read(0) + 100;\n"
      "  p[0] = 45; u32 v = sram_read_start(p); u32 a = n / (n - 95) + n / (n - 96);\n"
      "  ctx_wait(sram); return a + v; }";
  CHECK(count(instructions_of(source, Optimization::kOs), "br[__me_rt_divide#]") == 2);
  CHECK(agreed_value(source) == 20 + 25 + 45);
}

// Functions of random expressions over their arguments, locals, memory and the functions before
// them.
class CallProgram {
 public:
  explicit CallProgram(unsigned seed) : random_(seed) {}

  std::string text() {
    std::string text = "__sram u32 table[16];\nu32 global;\n";
    const unsigned functions = 3 + pick(5);
    for (unsigned function = 0; function != functions; ++function)
      text += one(function);
    text +=
        "int main(void) {\n  for (u32 i = 0; i < 16; i++) table[i] = i * 0x9e3779b9;\n"
        "  u32 r = shared_read(0) + 17;\n";
    for (unsigned i = 0; i != 4; ++i)
      text += "  r = r * 31 + " + call(functions, "r", "i" + std::to_string(i)) + ";\n";
    for (unsigned i = 0; i != 4; ++i)
      text.insert(text.find("  u32 r ="), "  u32 i" + std::to_string(i) + " = shared_read(1) + " +
                                              std::to_string(pick(1000)) + ";\n");
    return text + "  return r ^ global ^ table[5];\n}\n";
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }

  std::string call(unsigned before, const std::string& first, const std::string& second) {
    const unsigned function = pick(before);
    std::string text = "f" + std::to_string(function) + "(" + first;
    for (unsigned i = 1; i != arguments_[function]; ++i)
      text += ", " + (i % 2 ? second : first) + " + " + std::to_string(pick(9));
    return text + ")";
  }

  std::string one(unsigned function) {
    arguments_.push_back(1 + pick(6));
    const bool refuses = pick(2) == 0;
    std::string text = refuses ? "__attribute__((noinline)) " : "";
    text += "static " + std::string(pick(4) == 0 ? "u64" : "u32") + " f" +
            std::to_string(function) + "(";
    for (unsigned i = 0; i != arguments_[function]; ++i)
      text += (i ? ", " : "") + std::string(pick(5) == 0 ? "u64 a" : "u32 a") + std::to_string(i);
    text += ") {\n  u32 x = a0, local[4] = {x, 1, 2, x ^ 3};\n";
    const auto argument = [&] { return "a" + std::to_string(pick(arguments_[function])); };
    for (unsigned statements = 2 + pick(6); statements; --statements)
      switch (pick(7)) {
        case 0: text += "  x += " + argument() + " << " + std::to_string(pick(9)) + ";\n"; break;
        case 1: text += "  table[x & 15] ^= " + argument() + ";\n"; break;
        case 2:
          text += "  if (x & 4) x ^= table[" + argument() + " & 15]; else global += x;\n";
          break;
        case 3: text += "  local[x & 3] += " + argument() + "; x ^= local[(x >> 2) & 3];\n"; break;
        case 4: text += "  for (u32 i = 0; i < (x & 7); i++) x = x * 3 + i;\n"; break;
        default:
          if (function != 0)
            text += "  x ^= " + call(function, "x", argument()) + ";\n";
          else
            text += "  x -= table[3];\n";
      }
    return text + "  return x + " + argument() + ";\n}\n";
  }

  std::mt19937 random_;
  std::vector<unsigned> arguments_;
};

TEST_CASE("random programs of calls compute the same with calls as with everything inlined") {
  for (unsigned seed = 1; seed != 25; ++seed) {
    INFO("seed " << seed);
    const std::string source = CallProgram(seed).text();
    const std::uint32_t expected = result_of(source, Optimization::kO1).return_value;
    CHECK(result_of(source, Optimization::kO2).return_value == expected);
    CHECK(result_of(source, Optimization::kOs).return_value == expected);
  }
}

}  // namespace
}  // namespace nplab::test
