// What a programmer may expect of a freestanding C17, and what is refused in words of C.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using Catch::Contains;
using Catch::StartsWith;

std::uint32_t result_of(const std::string& source, compiler::Optimization level) {
  return run(source, "test.c", options_at(level)).return_value;
}

struct Refusal {
  const char* what;
  std::string source;
  std::string place;
  std::string text;
};

void check_refused_at_every_level(const Refusal& refusal) {
  for (const compiler::Optimization level : kLevels) {
    INFO(refusal.what << ", level " << static_cast<int>(level));
    const std::string text = refusal_of(refusal.source, options_at(level));
    CHECK_THAT(text, StartsWith(refusal.place) && Contains(refusal.text));
  }
}

}  // namespace

TEST_CASE("the headers of a freestanding C17 are there") {
  const std::string source =
      "#include <float.h>\n#include <iso646.h>\n#include <limits.h>\n#include <stdalign.h>\n"
      "#include <stdarg.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
      "#include <stdnoreturn.h>\n#include <microengine.h>\n"
      "struct pair { uint8_t first; alignas(4) uint32_t second; };\n"
      "int main(void) {\n"
      "  bool is_right = sizeof(uint64_t) == 8 and sizeof(size_t) == 4 and CHAR_BIT == 8;\n"
      "  return is_right && UINT_MAX == UINT32_MAX && offsetof(struct pair, second) == 4 ? 7 : 0;\n"
      "}\n";
  for (const compiler::Optimization level : kLevels)
    CHECK(result_of(source, level) == 7);
}

TEST_CASE("main may have the arguments of a host, which are 0") {
  for (const compiler::Optimization level : kLevels)
    CHECK(result_of("int main(int argc, char **argv) { return argc == 0 && !argv ? 5 : 1; }",
                    level) == 5);
}

TEST_CASE("main without a return returns 0, on every way to its end") {
  const std::string some =
      "volatile int x = 3;\nint main(void) {\n  if (x == 4)\n    return 1;\n  x = 5;\n}\n";
  for (const compiler::Optimization level : kLevels) {
    CHECK(result_of("volatile int x;\nint main(void) { x = 2; }", level) == 0);
    CHECK(result_of(some, level) == 0);
  }
}

TEST_CASE("whether a value is a constant is decided at every level") {
  const std::string source =
      "int main(void) {\n  int local = 3;\n  return __builtin_constant_p(local) * 0 + 4;\n}\n";
  for (const compiler::Optimization level : kLevels)
    CHECK(result_of(source, level) == 4);
}

TEST_CASE("what is only asked whether it is a constant is not read") {
  const std::string source =
      "volatile unsigned far = 0x7ffffffc;\n"
      "static int asked(const int *x) { return __builtin_constant_p(*x); }\n"
      "int main(void) { return asked((const int *)far) + 4; }\n";
  for (const compiler::Optimization level : kLevels)
    CHECK(result_of(source, level) == 4);
}

TEST_CASE("C that the microengine cannot run is refused at its line, at every level") {
  const Refusal refusals[] = {
      {"vectors of short",
       "typedef short V __attribute__((vector_size(4)));\nint main(void) {\n  V y = {4, 4};\n"
       "  return (int)y;\n}",
       "test.c:3:", "vectors of other elements than 32-bit integers"},
      {"operand of assembly in memory",
       "int main(void) {\n  int x = 3;\n  asm(\"\" : \"+m\"(x));\n  return x;\n}",
       "test.c:3:", "an operand of inline assembly in memory"},
      {"cast between memories",
       "#include <microengine.h>\n__sram u32 *volatile p;\nint main(void) {\n"
       "  return *(__scratch u32 *)p;\n}",
       "test.c:4:", "a cast between pointers to different memories"},
  };
  for (const Refusal& refusal : refusals)
    check_refused_at_every_level(refusal);
}

TEST_CASE("declarations that the engine has no place for are refused at their line and column") {
  const std::string main = "\nint main(void) { return 0; }\n";
  const Refusal refusals[] = {
      {"assembly at file level", "__asm__(\"nop\");" + main,
       "test.c:1:1:", "inline assembly outside of a function"},
      {"a register of the program", "register int r __asm__(\"a0\");" + main,
       "test.c:1:14:", "a global variable in a register of its own"},
      {"a section", "int g __attribute__((section(\".sdram\"))) = 3;" + main,
       "test.c:1:5:", "__sram, __scratch or __sdram"},
      {"a constructor", "__attribute__((constructor)) void f(void) {}" + main,
       "test.c:1:35:", "call it from main"},
      {"a naked function", "__attribute__((naked)) void f(void) {}" + main,
       "test.c:1:29:", "without the attribute"},
      {"another name",
       "int f(void) { return 1; }\nint h(void) __attribute__((alias(\"f\")));" + main,
       "test.c:2:5:", "call it by its own name"},
      {"a fifth memory", "__attribute__((address_space(9))) int g;" + main,
       "test.c:1:", "write __sram, __scratch, __sdram or __shared"},
      {"a name of the compiler's", "int f(void) __asm__(\"__me_ctx_arb\");" + main,
       "test.c:1:5:", "no name of the compiler's"},
      {"a __shared variable with a value",
       "#include <microengine.h>\n__shared u32 g = 5;\nint main(void) { return g; }",
       "test.c:2:14:", "let one thread set it"},
      {"a parameter of floating point",
       "static int half(float f) { return 1; }\nint main(void) { return half(1); }",
       "test.c:1:12:", "floating point"},
      {"no main", "int f(void) { return 1; }", "test.c:1:1:", "there is no function main"},
  };
  for (const Refusal& refusal : refusals)
    check_refused_at_every_level(refusal);
}

TEST_CASE("what only a linker, a stack or a host could give is refused where it is used") {
  const auto program = [](const std::string& before, const std::string& statement) {
    return "#include <microengine.h>\n" + before + "\nint main(void) {\n  " + statement +
           "\n  return 0;\n}\n";
  };
  const std::string f = "static int f(int a) { return a; } volatile u32 x;";
  const Refusal refusals[] = {
      {"a variable of another file", program("extern int g;", "g = 1;"),
       "test.c:4:", "the variable 'g', which is declared but not defined"},
      {"a pointer to one", "extern int g;\nint *p = &g;\nint main(void) { return *p; }",
       "test.c:2:6:", "declared but not defined"},
      {"the address of a function that is not defined",
       program("int x; int f(int);", "x = (u32)f;"),
       "test.c:4:", "the address of the function 'f', which is declared but not defined"},
      {"the address of main", program(f, "x = (u32)main;"),
       "test.c:4:", "the address of the function 'main': threads start there"},
      {"a table of functions that are not defined",
       "int f(void);\nint (*t[])(void) = {f};\nint main(void) { return t[0] != 0; }",
       "test.c:2:7:", "the address of the function 'f'"},
      {"a call with other types", program(f, "x = ((int (*)(short))f)(1);"),
       "test.c:4:", "with other types than it is defined with"},
      {"a return address", program(f, "x = (u32)__builtin_return_address(0);"),
       "test.c:4:", "there are no calls, and no stack"},
      {"the host's counter", program(f, "x = __builtin_readcyclecounter();"),
       "test.c:4:", "use cycle_count()"},
      {"an overflow of two kinds",
       program(f, "u64 r; x = __builtin_mul_overflow((s64)x, (s64)x, &r);"),
       "test.c:4:", "convert one of them first"},
      {"a __shared variable by address", program("", "*(__shared u32 *)4 = 1;"),
       "test.c:4:", "use its name"},
      {"an operand of two longwords", program("", "u64 v; __asm__(\"nop\" : \"=r\"(v)); v++;"),
       "test.c:4:", "not one longword"},
  };
  for (const Refusal& refusal : refusals)
    check_refused_at_every_level(refusal);
}

TEST_CASE("an operand of assembly that may be in memory is refused, whatever the constraint") {
  for (const char* constraint : {"m", "o", "g", "rm", "V"})
    check_refused_at_every_level({constraint,
                                  "int main(void) {\n  int x = 3;\n  asm(\"nop\" : : \"" +
                                      std::string(constraint) + "\"(x));\n  return x;\n}",
                                  "test.c:3:", "an operand of inline assembly in memory"});
}

TEST_CASE("an expected value with its probability is the value") {
  for (const compiler::Optimization level : kLevels)
    CHECK(result_of("volatile int x = 3;\nint main(void) {\n"
                    "  return __builtin_expect_with_probability(x == 3, 1, 0.9) ? 6 : 1;\n}",
                    level) == 6);
}

TEST_CASE("inline assembly in a loop that a break leaves compiles at every level") {
  const std::string source =
      "volatile int source = 1, sink;\nint main(void) {\n  while (source) {\n    short x = sink;\n"
      "    __asm__(\"immed[%0, 9]\" : \"=&r\"(x));\n    sink = x;\n    if (sink)\n      break;\n  "
      "}\n"
      "  return sink;\n}\n";
  for (const compiler::Optimization level : kLevels)
    CHECK(result_of(source, level) == 9);
}

TEST_CASE("an inline function is part of its callers, static or not") {
  for (const char* kind :
       {"inline", "extern inline", "static inline", "extern inline __attribute__((gnu_inline))"})
    for (const compiler::Optimization level : kLevels)
      CHECK(result_of(std::string(kind) + " int twice(int a) { return 2 * a; }\n"
                                          "int main(void) { return twice(4); }",
                      level) == 8);
}

TEST_CASE("products of 64 bits that overflow say so") {
  const std::string source =
      "#include <microengine.h>\nvolatile u64 big = 0x100000001ull; volatile s64 low = -3;\n"
      "int main(void) {\n  u64 p; s64 q; u32 sum = 0;\n"
      "  sum += __builtin_mul_overflow(big, (u64)0xffffffff, &p);\n"
      "  sum += p == 0xffffffffffffffffull ? 2 : 0;\n"
      "  sum += __builtin_mul_overflow(big, big, &p) ? 4 : 0;\n"
      "  sum += __builtin_mul_overflow(low, (s64)5, &q) ? 8 : 0;\n"
      "  sum += q == -15 ? 16 : 0;\n"
      "  sum += __builtin_mul_overflow(low, (s64)0x4000000000000000, &q) ? 32 : 0;\n"
      "  sum += __builtin_mul_overflow(low, (s64)-0x2aaaaaaaaaaaaaaa, &q) ? 64 : 0;\n"
      "  return sum;\n}\n";
  for (const compiler::Optimization level : kLevels)
    CHECK(result_of(source, level) == 2 + 4 + 16 + 32);
}

TEST_CASE("a pointer to a misaligned member of a packed structure is refused, however it is made") {
  const std::string types =
      "#include <microengine.h>\n"
      "struct in { u8 a; u16 x; } __attribute__((packed));\n"
      "struct S { u8 c[3]; u16 x; u16 y[2]; struct in in; } __attribute__((packed));\n"
      "static struct S g[2];\nstatic void set(u16 *p) { *p = 0x1234; }\n"
      "volatile u32 k = 1;\nint main(void) {\n  struct S *p = g;\n";
  for (const char* pointer : {"&g[k].x", "&p[1].x", "&p->x", "g[k].y", "&g[0].y[1]", "p->y + 1",
                              "&p->in.x", "&(g[k].x)"}) {
    const std::string source = types + "  set(" + pointer + ");\n  return p->c[0];\n}\n";
    check_refused_at_every_level({pointer, source, "test.c:9:", "in a packed structure"});
  }
}

TEST_CASE("members of packed structures are right by name, and as bytes") {
  const std::string source =
      "#include <microengine.h>\n"
      "struct S { u8 c[3]; u16 x; u16 y[2]; u32 z; } __attribute__((packed, aligned(4)));\n"
      "static struct S g[2];\nvolatile u32 k = 1;\n"
      "int main(void) {\n"
      "  struct S *p = g;\n"
      "  g[k].x = 0x1234;\n  p[k].y[k] = 0x5678;\n  (p + k)->z = 0x9abcdef0;\n"
      "  const u8 *bytes = (const u8 *)&p[1].x;\n"
      "  u32 *aligned = (u32 *)&p[1];\n"
      "  return bytes[0] == 0x12 && bytes[1] == 0x34 && p[k].y[1] == 0x5678 && p[k].y[0] == 0 &&\n"
      "         g[1].z == 0x9abcdef0 && aligned != 0 ? 9 : 1;\n}\n";
  for (const compiler::Optimization level : kLevels)
    CHECK(result_of(source, level) == 9);
}

}  // namespace nplab::test
