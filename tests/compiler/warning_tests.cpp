// What the compiler warns of, beside Clang's own warnings, and how the source says that it is
// meant.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using Catch::Contains;
using compiler::Optimization;

std::vector<Diagnostic> warnings_of(const std::string& source,
                                    Optimization level = Optimization::kO2) {
  Diagnostics diagnostics;
  compiler::CompileReport report;
  const auto object = compiler::compile_to_object("#include <microengine.h>\n" + source, "test.c",
                                                  options_at(level), diagnostics, &report);
  INFO(diagnostics.to_string());
  CHECK(object);
  return report.warnings;
}

void check_one_warning(const std::string& source, int line, const std::string& text) {
  const std::vector<Diagnostic> warnings = warnings_of(source);
  INFO(source);
  REQUIRE(warnings.size() == 1);
  INFO(warnings[0].message);
  CHECK(warnings[0].location.file == "test.c");
  CHECK(warnings[0].location.line == line);
  CHECK(warnings[0].location.column > 0);
  CHECK_THAT(warnings[0].message, Contains(text));
}

// Reads `count` longwords, line 3 and on, all of which are needed until they are written back.
std::string exchange(int count, const std::string& declared) {
  std::string text = "volatile __sram u32 *const p = (volatile __sram u32 *)64;\n" + declared +
                     "static void exchange(void) {\n";
  for (int i = 0; i != count; ++i)
    text += "  u32 v" + std::to_string(i) + " = p[" + std::to_string(i) + "];\n";
  for (int i = 0; i != count; ++i)
    text += "  p[" + std::to_string(count - 1 - i) + "] = v" + std::to_string(i) + ";\n";
  return text + "}\nint main(void) { exchange(); return 0; }\n";
}

}  // namespace

TEST_CASE("a function that needs more values than registers is warned of once, with the lines") {
  for (const Optimization level : kLevels)
    CHECK(warnings_of(exchange(12, ""), level).empty());
  const std::vector<Diagnostic> warnings = warnings_of(exchange(48, ""));
  REQUIRE(warnings.size() == 1);
  INFO(warnings[0].message);
  CHECK_THAT(warnings[0].message,
             Contains("'exchange' needs more values at a time than there are registers: ") &&
                 Contains(" values are spilled to the frame, which costs ") &&
                 Contains(" references at lines ") && Contains("__may_spill"));
  CHECK(warnings[0].location.line >= 4);
  CHECK(warnings[0].location.line <= 51);
}

TEST_CASE("no warning tells of the spills of a function that is declared __may_spill") {
  CHECK(warnings_of(exchange(48, "__may_spill ")).empty());
}

TEST_CASE("a constant address that is misaligned for its access is warned of at its line") {
  check_one_warning("int main(void) {\n  return *(__sram u32 *)6;\n}\n", 3,
                    "the address 0x6 is not a multiple of 4");
  check_one_warning("int main(void) {\n  *(__scratch u16 *)7 = 1;\n  return 0;\n}\n", 3,
                    "the address 0x7 is not a multiple of 2");
  check_one_warning("int main(void) {\n  return sram_read((__sram u32 *)3);\n}\n", 3,
                    "the address 0x3 is not a multiple of 4");
  check_one_warning("int main(void) {\n  return sdram_read1((__sdram u32 *)68)[0];\n}\n", 3,
                    "the address 0x44 is not a multiple of 8");
  check_one_warning("int main(void) {\n  return ((__sram u32 *)2)[3];\n}\n", 3,
                    "the address 0xe is not a multiple of 4");
}

TEST_CASE("an aligned constant address, one of bytes, or one computed at run time is not") {
  CHECK(warnings_of("volatile u32 at = 6;\n"
                    "int main(void) {\n"
                    "  return *(__sram u32 *)8 + *(__sram u8 *)7 + *(__sdram u32 *)68 +\n"
                    "         *(__sram u32 *)at;\n}\n")
            .empty());
}

TEST_CASE("a loop that only reads a plain variable is warned of, since it may read it once") {
  const char* const loops[] = {"while (!flag) ;",   "while (flag == 0) {}", "do ; while (!flag);",
                               "for (; !flag;) ;",  "while (!*where) ;",    "while (!crate.full) ;",
                               "while (!many[1]) ;"};
  for (const char* loop : loops)
    check_one_warning(
        "__scratch u32 flag, many[4];\n__scratch u32 *where = &flag;\n"
        "struct box { u32 full; };\n__sram struct box crate;\n"
        "int main(void) {\n  " +
            std::string(loop) + "\n  return 0;\n}\n",
        7, "only once, since it is not volatile: declare it volatile");
}

TEST_CASE("a loop that reads a volatile variable, that yields or that counts is not") {
  const char* const loops[] = {"while (!ready) ;", "while (!flag) ctx_swap();",
                               "while (local < 5) local++;", "for (u32 i = 0; i < flag; i++) ;",
                               "while (flag) { if (ready) break; }"};
  for (const char* loop : loops) {
    INFO(loop);
    CHECK(warnings_of("__scratch u32 flag;\nvolatile __scratch u32 ready;\n"
                      "int main(void) {\n  u32 local = 0;\n  " +
                      std::string(loop) + "\n  return local;\n}\n")
              .empty());
  }
}

TEST_CASE("a loop that waits for a __shared variable is warned of unless it yields the engine") {
  const std::string before = "__shared u32 turn;\nint main(void) {\n  ";
  const std::string text = "no other thread of the engine runs while this loop waits for ";
  check_one_warning(before + "while (turn != ctx()) ;\n  return 0;\n}\n", 4, text + "'turn'");
  check_one_warning(before + "while (shared_read(9) == 0) ;\n  return 0;\n}\n", 4,
                    text + "'shared_read'");
  CHECK(warnings_of(before + "while (turn != ctx()) ctx_swap();\n  return 0;\n}\n").empty());
  CHECK(warnings_of("volatile __scratch u32 other;\n" + before +
                    "while (turn != ctx()) (void)other;\n  return 0;\n}\n")
            .empty());
}

TEST_CASE("vectors of longwords multiply and divide element by element") {
  const std::string source =
      "#include <microengine.h>\nvolatile u32 three = 3;\n"
      "int main(void) {\n  u32x2 v = {three, 100}, w = {7, three};\n"
      "  u32x2 product = v * w, quotient = w / v, rest = v % w;\n"
      "  return product[0] == 21 && product[1] == 300 && quotient[0] == 2 && quotient[1] == 0 &&\n"
      "         rest[0] == 3 && rest[1] == 1 ? 5 : 1;\n}\n";
  for (const Optimization level : kLevels)
    CHECK(run(source, "test.c", options_at(level)).return_value == 5);
}

}  // namespace nplab::test
