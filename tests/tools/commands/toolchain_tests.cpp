// nplab cc, as and objdump.
#include <array>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const char* const kProgram =
    "#include <microengine.h>\n"
    "static __sram u32 table[4] = {1, 2, 3, 4};\n"
    "static u32 sum(u32 n) {\n"
    "  u32 total = 0;\n"
    "  for (u32 i = 0; i < n; i++) {\n"
    "    total += table[i & 3] * (i + 1);\n"
    "  }\n"
    "  return total;\n"
    "}\n"
    "int main(void) {\n"
    "  sram_write2((__sram u32 *)0x400, sum(ctx() + 9), 5);\n"
    "  return sum(20);\n"
    "}\n";

// Instructions alone: comments of objdump name source files, which differ.
std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != ';')
      kept += line + '\n';
  }
  return kept;
}

std::string disassembly(const ScratchFolder& folder, const std::string& object) {
  const Outcome outcome = call_nplab({"objdump", object}, folder.path());
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return outcome.out;
}

void translate(const ScratchFolder& folder, const Words& words) {
  const Outcome outcome = call_nplab(words, folder.path());
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
}

}  // namespace

TEST_CASE("cc -o writes an object that objdump shows with its source lines", "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.c", kProgram);
  translate(folder, {"cc", "p.c", "-o", "p.o"});
  const std::string text = disassembly(folder, "p.o");
  CHECK_THAT(text, Contains("main#:") && Contains("p.c:6") && Contains("p.c:11"));
  CHECK_THAT(text, Contains("sram[write") && Contains("ctx_swap"));
}

TEST_CASE("cc without -o names the object after the source", "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.c", kProgram);
  translate(folder, {"cc", "p.c"});
  CHECK(folder.names() == std::vector<std::string>{"p.c", "p.o"});
}

TEST_CASE("cc -S writes assembly to standard output", "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.c", kProgram);
  const Outcome outcome = call_nplab({"cc", "-S", "p.c"}, folder.path());
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("main#:") && Contains("sram["));
  CHECK(folder.names() == std::vector<std::string>{"p.c"});
}

TEST_CASE("assembling the compiler's assembly gives the words of its object at every level",
          "[toolchain]") {
  for (const char* level : {"-O0", "-O1", "-O2", "-Os", "-Opublished"}) {
    INFO(level);
    const ScratchFolder folder;
    (void)folder.write("p.c", kProgram);
    translate(folder, {"cc", level, "p.c", "-o", "direct.o"});
    translate(folder, {"cc", level, "-S", "p.c", "-o", "p.s"});
    translate(folder, {"as", "p.s", "-o", "assembled.o"});
    CHECK(without_comments(disassembly(folder, "direct.o")) ==
          without_comments(disassembly(folder, "assembled.o")));
  }
}

TEST_CASE("an object runs as its source does", "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.c", kProgram);
  translate(folder, {"cc", "p.c", "-o", "p.o"});
  const Outcome source =
      call_nplab({"exec", "p.c", "--json", "--memory", "sram:0x400:2"}, folder.path());
  const Outcome object =
      call_nplab({"exec", "p.o", "--json", "--memory", "sram:0x400:2"}, folder.path());
  CHECK(source.out == object.out);
  CHECK(nlohmann::json::parse(source.out).at("memory")[0][1] == 5);
}

TEST_CASE("cc prints the compiler's warnings and writes the object", "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.c", "int main(void) {\n  int unused;\n  return 0;\n}\n");
  const Outcome outcome = call_nplab({"cc", "p.c"}, folder.path());
  CHECK(outcome.status == 0);
  CHECK(outcome.err == "p.c:2:7: warning: unused variable 'unused'\n");
  CHECK(fs::exists(folder.path() / "p.o"));
}

TEST_CASE("cc --report says what each function became", "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.c",
                     "#include <microengine.h>\n"
                     "static u32 four(__sram u32 *p) {\n  return p[0] + p[1] + p[2] + p[3];\n}\n"
                     "int main(void) {\n  return four((__sram u32 *)csr_read(thread_done));\n}\n");
  const auto line_of = [&](const char* level, const std::string& name) {
    const std::string text = call_nplab({"cc", "--report", level, "p.c"}, folder.path()).err;
    const auto at = text.find(name + " ");
    INFO(text);
    REQUIRE(at != std::string::npos);
    std::istringstream words(text.substr(at + name.size()));
    unsigned size = 0, references = 0, bursts = 0;
    words >> size >> references >> bursts;
    return std::array{size, references, bursts};
  };
  CHECK(line_of("-O2", "four") == std::array{4u, 1u, 1u});
  CHECK(line_of("-Opublished", "four")[1] == 4);
  CHECK(line_of("-Opublished", "four")[2] == 0);
  CHECK(line_of("-O2", "main")[1] == 1);
}

TEST_CASE(
    "the option -Rpass says at its line what a pass did, -Rpass-missed what it could not, of those "
    "whose name "
    "matches",
    "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.c",
                     "#include <microengine.h>\n"
                     "int main(void) {\n"
                     "  __sram u32 *p = (__sram u32 *)csr_read(thread_done);\n"
                     "  u32 first = p[0];\n"
                     "  p[9] = first;\n"
                     "  p[10] = 1;\n"
                     "  p[11] = 2;\n"
                     "  return 0;\n}\n");
  const auto said = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"cc", "p.c"});
    const Outcome outcome = call_nplab(arguments, folder.path());
    CHECK(outcome.status == 0);
    return outcome.err;
  };
  CHECK(said({"-Rpass=merge-stores"}) ==
        "p.c:7:9: remark: 2 writes became one of 3 longwords [-Rpass=microengine-merge-stores]\n");
  CHECK_THAT(said({"-Rpass"}), Contains("[-Rpass=microengine-merge-stores]"));
  CHECK_THAT(said({"-Rpass-missed=gvn"}),
             Contains("p.c:4:15: remark: ") && Contains("not eliminated [-Rpass-missed=gvn]"));
  CHECK(said({}) == "");
  (void)folder.write("p.c",
                     "#include <microengine.h>\nint main(void) {\n  u32 h = 0;\n#pragma unroll\n"
                     "  for (u32 i = 0; i < csr_read(rcv_cntl); i++) h += csr_read(thread_done);\n "
                     " return h;\n}\n");
  CHECK(said({}) == "");  // LLVM's warnings about its own passes are none of C
  const Outcome unknown = call_nplab({"cc", "p.c", "-Rpasses"}, folder.path());
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Contains("-Rpasses") && Contains("known: -Rpass and -Rpass-missed"));
  const Outcome broken = call_nplab({"cc", "p.c", "-Rpass=["}, folder.path());
  CHECK(broken.status == 2);
  CHECK_THAT(broken.err, Contains("not a regular expression"));
}

TEST_CASE("a header in a folder given with -I is found", "[toolchain]") {
  const ScratchFolder folder;
  fs::create_directory(folder.path() / "include");
  (void)folder.write("include/answer.h", "#define ANSWER 42\n");
  (void)folder.write("p.c", "#include <answer.h>\nint main(void) { return ANSWER; }\n");
  CHECK(call_nplab({"cc", "p.c"}, folder.path()).status == 2);
  CHECK(call_nplab({"cc", "-I", "include", "p.c"}, folder.path()).status == 0);
}

TEST_CASE("an error in assembly is reported at its line and column and no object is written",
          "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.s", "main#:\n  immed[a0, 1]\n  alu[a0, a1, +, a2]\n  brr[main#]\n");
  const Outcome outcome = call_nplab({"as", "p.s"}, folder.path());
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("p.s:3:") && Contains("p.s:4:"));
  CHECK(folder.names() == std::vector<std::string>{"p.s"});
}

TEST_CASE("as refuses an undefined symbol at its line and column and writes no object",
          "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.s", "main#:\n  nop\n  br[mian#]\n");
  const Outcome outcome = call_nplab({"as", "p.s"}, folder.path());
  CHECK(outcome.status == 2);
  CHECK(outcome.err == "p.s:3:6: error: undefined symbol `mian`; did you mean 'main'?\n");
  CHECK(folder.names() == std::vector<std::string>{"p.s"});
}

TEST_CASE("objdump refuses what is not an object", "[toolchain]") {
  const ScratchFolder folder;
  (void)folder.write("p.o", "this is not an object");
  const Outcome outcome = call_nplab({"objdump", "p.o"}, folder.path());
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("p.o:"));
}
