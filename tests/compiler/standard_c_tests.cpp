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

TEST_CASE("C that the microengine cannot run is refused at its line, at every level") {
  const Refusal refusals[] = {
      {"vectors of short",
       "typedef short V __attribute__((vector_size(4)));\nint main(void) {\n  V y = {4, 4};\n"
       "  return (int)y;\n}",
       "test.c:3:", "vectors of other elements than 32-bit integers"},
      {"jump to an element of a table of labels",
       "volatile int x;\nint main(void) {\n  static void *t[] = {&&a, &&b};\n  goto *t[x & 1];\n"
       "a:\n  return 1;\nb:\n  return 2;\n}",
       "test.c:4:", "a jump to a label that is computed: use a switch"},
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
