// What LLVM would end the process for ends the compilation alone.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <string>

#include "isa/mc/fatal_errors.h"
#include "llvm/Support/ErrorHandling.h"
#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using isa::run_to_fatal_error;

TEST_CASE("work without an error comes to its end") {
  int done = 0;
  CHECK_FALSE(run_to_fatal_error([&] { done = 1; }));
  CHECK(done == 1);
}

TEST_CASE("a fatal error of LLVM is reported with its text, and the next work goes on") {
  int behind = 0;
  const auto text = run_to_fatal_error([&] {
    llvm::report_fatal_error("cannot select", false);
    behind = 1;
  });
  REQUIRE(text);
  CHECK(*text == "cannot select");
  CHECK(behind == 0);
  CHECK_FALSE(run_to_fatal_error([] {}));
}

TEST_CASE("a crash, an abort and no more memory are told, not passed on") {
  CHECK(run_to_fatal_error([] { std::abort(); }));
  CHECK(run_to_fatal_error([] {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }));
}

TEST_CASE("a program whose sources the code generator cannot reach is refused with a diagnostic") {
  Diagnostics diagnostics;
  compiler::CompileOptions options;
  CHECK_FALSE(compiler::compile(
      "#include <microengine.h>\nu32 f(void);\n"
      "u32 (*const table[2])(void) = {f, f};\nint main(void) { return (int)(u32)table[ctx()]; }\n",
      "test.c", options, diagnostics));
  CHECK(diagnostics.has_errors());
}

TEST_CASE("a statement at which the C front end crashes is an error at its line") {
  Diagnostics diagnostics;
  CHECK_FALSE(compiler::compile(
      "#include <microengine.h>\nint f(int);\nint main(void) {\n  return sram_read4(f)[0];\n}\n",
      "test.c", {}, diagnostics));
  const std::string text = diagnostics.to_string();
  CHECK(text.rfind("test.c:4:", 0) == 0);
  CHECK(text.find("the statement has an error that it cannot report") != std::string::npos);
}

}  // namespace
}  // namespace nplab::test
