// Programs that the compiler refuses: exit 2, every error at its place.
#include <catch2/catch.hpp>

#include "tests/tools/support/refusal.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

Outcome refused_c(const std::string& source) {
  const ScratchFolder folder;
  (void)folder.write("p.c", source);
  return refused(folder, {"cc", "p.c", "-o", "p.o"});
}

}  // namespace

TEST_CASE("C that needs recursion is refused at its line", "[bad_input]") {
  CHECK_THAT(refused_c("static int f(int n) {\n  return n ? f(n - 1) * 2 : 1;\n}\n"
                       "int main(void) { return f(5); }\n")
                 .err,
             Contains("p.c:2:") && Contains("recursion"));
}

TEST_CASE("C that calls through a pointer to no function is refused at its line", "[bad_input]") {
  CHECK_THAT(refused_c("static int f(void) { return 1; }\nint main(void) {\n"
                       "  int (*volatile p)(int) = (int (*)(int))f;\n  return p(2);\n}\n")
                 .err,
             Contains("p.c:4:") && Contains("pointer"));
}

TEST_CASE("C that needs floating point is refused at its line", "[bad_input]") {
  CHECK_THAT(
      refused_c("volatile int k;\nint main(void) {\n  float x = k;\n  return (int)(x * 1.5f);\n}\n")
          .err,
      Contains("p.c:3:") && Contains("floating point"));
}

TEST_CASE("C with variable arguments is refused at its line", "[bad_input]") {
  CHECK_THAT(
      refused_c("static int f(int n, ...) {\n  return n;\n}\nint main(void) { return f(2, 3); }\n")
          .err,
      Contains("p.c:1:") && Contains("variable arguments"));
}

TEST_CASE("all errors of a C source are reported at once", "[bad_input]") {
  CHECK_THAT(refused_c("int main(void) {\n  int a = b;\n  int c = d;\n  return a + c;\n}\n").err,
             Contains("p.c:2:11: error:") && Contains("p.c:3:11: error:"));
}

TEST_CASE("a program beyond the control store is refused with its size and the engine's",
          "[bad_input]") {
  std::string source =
      "#include <microengine.h>\nint main(void) {\n  volatile __sram u32 *p = (__sram u32 "
      "*)0x1000;\n";
  for (unsigned i = 0; i < 400; ++i) {
    source += "  p[" + std::to_string(i) + "] = " + std::to_string(i * 77777 + 1) + "u;\n";
  }
  source += "  return 0;\n}\n";
  const ScratchFolder folder;
  (void)folder.write("big.c", source);
  CHECK_THAT(refused(folder, {"exec", "big.c", "--chip", "ixp1200"}).err,
             Contains("big.c:2:") && Contains("1024") && Contains("control-store words"));
  CHECK(call_nplab({"exec", "big.c"}, folder.path()).status == 0);  // the test chip has room
}
