// What the microengine cannot do is refused at the line of the source that asks for it.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using Catch::Contains;
using Catch::StartsWith;

struct Refusal {
  const char* what;
  const char* source;
  const char* place;
  const char* text;
};

TEST_CASE("each impossible construct is refused at its line with what to do instead") {
  const Refusal refusals[] = {
      {"recursion",
       "static int f(int n) {\n  return n ? f(n - 1) * 2 : 1;\n}\nint main(void) { return f(5); }",
       "test.c:2:14", "Use a loop"},
      {"mutual recursion",
       "static int g(int);\nstatic int f(int n) { return n ? g(n - 1) : 1; }\nstatic int g(int n) "
       "{\n  return "
       "f(n);\n}\nint main(void) { return f(5); }",
       "test.c:4:10", "recursion"},
      {"floating point", "int main(void) {\n  volatile float f = 1;\n  f = f * 2;\n  return 0;\n}",
       "test.c:2", "fixed point"},
      {"floating-point parameter",
       "static int f(double d) { return 1; }\nint main(void) { return f(2); }", "test.c:1",
       "floating point"},
      {"defining varargs",
       "static int f(int n, ...) { return n; }\nint main(void) { return f(2, 3); }", "test.c:1",
       "variable arguments"},
      {"calling varargs",
       "int printf(const char *, ...);\nint main(void) {\n  return printf(\"x\");\n}",
       "test.c:3:10", "console_hex"},
      {"array of run-time size",
       "int main(void) {\n  volatile int n = 3;\n  int m = n;\n  volatile int a[m];\n  a[0] = 1;\n "
       " return a[0];\n}",
       "test.c:4", "fixed size"},
      {"undefined function", "int helper(int);\nint main(void) {\n  return helper(2);\n}",
       "test.c:3:10", "not defined"},
      {"no such instruction",
       "int main(void) {\n  __asm__ volatile(\"mul[a0, a0, a0]\");\n  return 0;\n}", "test.c:2",
       "inline assembly"},
      {"two sources from one bank",
       "int main(void) {\n  unsigned r;\n  __asm__(\"alu[%0, %1, +, %2]\" : \"=r\"(r) : \"a\"(1), "
       "\"a\"(2));\n  return r;\n}",
       "test.c:3", "bank A"},
      {"operand constraint", "int main(void) {\n  __asm__(\"nop\" : : \"q\"(1));\n  return 0;\n}",
       "test.c:2", "invalid input constraint"},
      {"more transfer registers than there are",
       "int main(void) {\n  unsigned a, b, c, d, e, f, g, h, i;\n  __asm__ volatile(\"nop\" : "
       "\"=s\"(a), \"=s\"(b), \"=s\"(c), "
       "\"=s\"(d), \"=s\"(e), \"=s\"(f), \"=s\"(g), \"=s\"(h), \"=s\"(i));\n  return a + b + c + d "
       "+ e + f + g + h + i;\n}",
       "test.c:3", "out of transfer registers in 'main': use fewer or smaller bursts at a time"},
      {"more general-purpose registers than a bank has",
       "static unsigned gather(void) {\n  unsigned r[17], sum = 0;\n  __asm__ volatile(\"nop\" : "
       "\"=a\"(r[0]), "
       "\"=a\"(r[1]), \"=a\"(r[2]), \"=a\"(r[3]), \"=a\"(r[4]), \"=a\"(r[5]), \"=a\"(r[6]), "
       "\"=a\"(r[7]), "
       "\"=a\"(r[8]), \"=a\"(r[9]), \"=a\"(r[10]), \"=a\"(r[11]), \"=a\"(r[12]), \"=a\"(r[13]), "
       "\"=a\"(r[14]), "
       "\"=a\"(r[15]), \"=a\"(r[16]));\n  for (int i = 0; i < 17; i++) sum += r[i];\n  return "
       "sum;\n}\n"
       "int main(void) { return gather(); }",
       "test.c:3", "out of general-purpose registers in 'gather': use fewer operands"},
      {"pointer to a misaligned member",
       "struct __attribute__((packed)) s { char a; int b; };\nstatic struct s x;\nint main(void) "
       "{\n  int *p = &x.b;\n"
       "  return *p;\n}",
       "test.c:4", "copy it to a local and point there"},
      {"atomic addition in SRAM",
       "#include <microengine.h>\n__sram _Atomic u32 x;\nint main(void) {\n  x += 2;\n  return "
       "0;\n}",
       "test.c:4", "sram_read_lock"},
      {"atomic variable in SDRAM",
       "#include <microengine.h>\n__sdram _Atomic u32 x;\nint main(void) {\n  x |= 2;\n  return "
       "0;\n}",
       "test.c:4", "__scratch"},
      {"atomic quadword in SRAM",
       "#include <microengine.h>\n__sram _Atomic long long x;\nint main(void) {\n  x ^= 2;\n  "
       "return 0;\n}",
       "test.c:4:3", "sram_read_lock"},
      {"atomic quadword through a pointer",
       "#include <stdatomic.h>\n#include <microengine.h>\n__sram _Atomic long long *x;\nint "
       "main(void) {\n  return (int)atomic_load(x);\n}",
       "test.c:5:15", "sram_read_lock"},
      {"compare and exchange",
       "#include <stdatomic.h>\n#include <microengine.h>\n__scratch _Atomic u32 x;\nint main(void) "
       "{\n  u32 old = 0;\n"
       "  return atomic_compare_exchange_strong(&x, &old, 1);\n}",
       "test.c:6", "no unit compares"},
      {"address of a __shared variable",
       "#include <microengine.h>\n__shared u32 x;\nint main(void) {\n  __shared u32 *volatile p = "
       "&x;\n  return *p;\n}",
       "test.c:4", "no address"},
      {"running index into a __shared array",
       "#include <microengine.h>\n__shared u32 x[4];\nint main(void) {\n  return x[ctx()];\n}",
       "test.c:4", "constant indices"},
      {"atomic variable", "_Atomic int x;\nint main(void) {\n  x++;\n  return x;\n}", "test.c:3:4",
       "test_and_set"},
      {"atomic builtin", "int x;\nint main(void) {\n  return __sync_fetch_and_add(&x, 2);\n}",
       "test.c:3:10", "scratch_incr"},
      {"a call through a pointer to no function of the program",
       "int main(void) {\n  int (*volatile f)(int) = (int (*)(int))64;\n  return f(1);\n}",
       "test.c:3:10", "no address of such a function is taken"},
      {"recursion through a pointer",
       "static int f(int);\nstatic int (*volatile next)(int) = f;\nstatic int f(int x) {\n  return "
       "x ? next(x - 1) : 0;\n}\nint main(void) { return f(3); }",
       "test.c:4:14", "'f' calls through a pointer, which may come back to it"},
      {"arguments of main", "int main(int argc) { return argc; }", "test.c:1", "int main(void)"},
      {"syntax", "int main(void) {\n  return x;\n}", "test.c:2:10", "undeclared identifier"},
      {"csr name", "#include <microengine.h>\nint main(void) {\n  return csr_read(no_such);\n}",
       "test.c:3:10", "__csr_no_such"},
      {"list that is not a constant",
       "#include <microengine.h>\nint main(void) {\n  return sram_pop(ctx());\n}", "test.c:3:10",
       "constant"},
      {"quadwords that are not constant",
       "#include <microengine.h>\nint main(void) {\n  sdram_r_fifo_read(64, 0, ctx());\n  return "
       "0;\n}",
       "test.c:3:3", "constant"},
  };
  for (const Refusal& refusal : refusals) {
    INFO(refusal.what);
    const std::string text = refusal_of(refusal.source);
    CHECK_THAT(text, StartsWith(refusal.place));
    CHECK_THAT(text, Contains(refusal.text));
  }
}

TEST_CASE("a __shared variable without a place is refused once, and its uses are not") {
  CHECK(refusal_of("#include <microengine.h>\n__shared u32 a[20];\n__shared u32 b[20];\n"
                   "int main(void) {\n  a[19] = 1;\n  b[4] = a[1];\n  return b[5];\n}") ==
        "test.c:3:14: error: the __shared variable 'b' needs 20 of 32 places, 20 are taken; use "
        "__scratch for it\n");
}

TEST_CASE("a missing main is refused") {
  CHECK_THAT(refusal_of("int f(void) { return 1; }"), Contains("no function main"));
}

TEST_CASE("all errors of a program are reported at once") {
  const std::string text = refusal_of(
      "int h(void);\nint main(void) {\n  h();\n  volatile float f = 1;\n  f = f * 2;\n  return "
      "0;\n}");
  CHECK_THAT(text, Contains("test.c:3:3"));
  CHECK_THAT(text, Contains("test.c:5:"));
}

TEST_CASE(
    "a program that does not fit the control store is refused with its size and its largest "
    "functions") {
  std::string source = "#include <microengine.h>\nstatic void big(__sram u32 *p) {\n";
  for (int i = 0; i < 60; ++i)
    source += "  p[" + std::to_string(i) + "] = " + std::to_string(i * 77) + ";\n";
  source += "}\nint main(void) { big((__sram u32 *)64); return 0; }\n";
  compiler::CompileOptions options;
  options.control_store_words = 32;
  const std::string text = refusal_of(source, options);
  CHECK_THAT(text, Contains("the engine has 32"));
  CHECK_THAT(text, Contains("big 6"));  // a write and some constant or value for each of the 60
}

TEST_CASE("locals beyond the frame area are refused with both sizes") {
  compiler::CompileOptions options;
  options.frame = {isa::MemorySpace::kScratch, 0, 64};
  const char* const source =
      "#include <microengine.h>\nint main(void) {\n  volatile u32 a[40];\n  a[ctx()] = 1;\n  "
      "return a[3];\n}";
  // The first 8 bytes of frames at address 0 stay free.
  CHECK_THAT(refusal_of(source, options), Contains("168 bytes per thread; the frame area has 64"));
  options.frame.base = 8;
  CHECK_THAT(refusal_of(source, options), Contains("160 bytes per thread; the frame area has 64"));
}

TEST_CASE("warnings are kept apart from errors") {
  Diagnostics diagnostics;
  compiler::CompileReport report;
  const auto object = compiler::compile_to_object("int main(void) {\n  int unused;\n  return 0;\n}",
                                                  "test.c", {}, diagnostics, &report);
  CHECK(object);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].location.line == 2);
}

}  // namespace
}  // namespace nplab::test
