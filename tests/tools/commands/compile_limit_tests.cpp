// What a program must fit: the control store of a chip, and bounds of compiling it.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;
using Catch::StartsWith;

namespace {

void check_refused(const Outcome& outcome, const std::string& text) {
  INFO(outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains(text));
}

// Some words for each of `count` writes.
std::string writes(int count) {
  std::string text = "#include <microengine.h>\nint main(void) {\n";
  for (int i = 0; i != count; ++i)
    text += "  ((volatile __sram u32 *)64)[" + std::to_string(i % 8) +
            "] = " + std::to_string(i * 77) + ";\n";
  return text + "  return 0;\n}\n";
}

// A sum of ten to the ninth terms.
std::string bomb() {
  std::string text = "#define T0 +1\n";
  for (int level = 1; level != 10; ++level) {
    text += "#define T" + std::to_string(level);
    for (int i = 0; i != 10; ++i)
      text += " T" + std::to_string(level - 1);
    text += "\n";
  }
  return text + "int main(void) { return 0 T9; }\n";
}

}  // namespace

TEST_CASE("cc refuses a program that the control store of --chip cannot hold", "[compile_limits]") {
  const ScratchFolder folder;
  (void)folder.write("p.c", writes(1500));
  CHECK(call_nplab({"cc", "p.c"}, folder.path()).status == 0);
  const Outcome outcome =
      call_nplab({"cc", "p.c", "--chip", "ixp1200", "-o", "q.o"}, folder.path());
  check_refused(outcome, "control-store words; the engine has 1024. Largest functions");
  CHECK_THAT(outcome.err, StartsWith("p.c:2:5: error: "));
  CHECK(folder.names() == std::vector<std::string>{"p.c", "p.o"});
  (void)folder.write("small.yaml", "extends: ixp1200\nengine:\n  control_store_words: 100\n");
  check_refused(call_nplab({"cc", "p.c", "--chip", "small.yaml"}, folder.path()),
                "the engine has 100");
}

TEST_CASE("cc refuses a program of more words than --words gives, and compiles one of as many",
          "[compile_limits]") {
  const ScratchFolder folder;
  (void)folder.write("p.c", writes(20));
  const Outcome report = call_nplab({"cc", "p.c", "--report"}, folder.path());
  REQUIRE(report.status == 0);
  const auto at = report.err.find("program: ");
  REQUIRE(at != std::string::npos);
  const int words = std::stoi(report.err.substr(at + 9));
  CHECK(call_nplab({"cc", "p.c", "--words", std::to_string(words)}, folder.path()).status == 0);
  check_refused(call_nplab({"cc", "p.c", "--words", std::to_string(words - 1)}, folder.path()),
                "the program needs " + std::to_string(words) +
                    " control-store words; the engine has " + std::to_string(words - 1));
  check_refused(
      call_nplab({"cc", "-S", "p.c", "--words", std::to_string(words - 1)}, folder.path()),
      "the engine has " + std::to_string(words - 1));
  CHECK(call_nplab({"cc", "p.c", "--words", "0"}, folder.path()).status == 2);
  check_refused(call_nplab({"cc", "p.c", "--chip", "no-such"}, folder.path()), "--chip: error: ");
}

TEST_CASE("compiling ends at --time-limit with the place that it reached", "[compile_limits]") {
  const ScratchFolder folder;
  (void)folder.write("bomb.c", bomb());
  for (const char* command : {"cc", "exec"})
    check_refused(
        call_nplab({command, "bomb.c", "--time-limit", "1", "--memory-limit", "0"}, folder.path()),
        "bomb.c:1:1: error: compiling this program takes more than 1 s of processor time "
        "(reading the program): make it smaller");
  CHECK(folder.names() == std::vector<std::string>{"bomb.c"});
}

TEST_CASE("compiling ends at --memory-limit", "[compile_limits]") {
  const ScratchFolder folder;
  (void)folder.write("bomb.c", bomb());
  check_refused(call_nplab({"cc", "bomb.c", "--memory-limit", "64"}, folder.path()),
                "bomb.c:1:1: error: compiling this program takes more than 64 MiB of memory");
}

TEST_CASE("compiling a mapping's programs ends at --compile-memory-limit and --compile-time-limit",
          "[compile_limits]") {
  const ScratchFolder folder;
  check_refused(call_nplab({"check", "ls", "--compile-memory-limit", "4"}, folder.path()),
                "compiling this program takes more than 4 MiB of memory");
  (void)folder.write("bomb.c", bomb());
  (void)folder.write(
      "bomb.yaml",
      "mapping: bomb\nalgorithm: linear-search\nchip: ixp1200\nworkload: published\nstages:\n"
      "  - {name: receive, role: receive, engines: [0], threads: 4}\n"
      "  - {name: hand, role: program, engines: [1], threads: 4, program: bomb.c}\n"
      "  - {name: transmit, role: transmit, engines: [5], threads: 4}\nqueues:\n"
      "  - {name: received, from: receive, to: hand, per: consumer_thread, entries: 64, memory: "
      "sram}\n"
      "  - {name: classified, from: hand, to: transmit, per: producer_thread, entries: 64, "
      "memory: sram}\n");
  const Outcome outcome =
      call_nplab({"check", "bomb.yaml", "--compile-time-limit", "1", "--compile-memory-limit", "0"},
                 folder.path());
  check_refused(outcome, "compiling this program takes more than 1 s of processor time");
}

TEST_CASE("assembling ends at its limits", "[compile_limits]") {
  const ScratchFolder folder;
  std::string text = ".macro m0\nnop\n.endm\n";
  for (int level = 1; level != 12; ++level) {
    text += ".macro m" + std::to_string(level) + "\n";
    for (int i = 0; i != 10; ++i)
      text += "m" + std::to_string(level - 1) + "\n";
    text += ".endm\n";
  }
  (void)folder.write("p.s", text + "m11\n");
  check_refused(
      call_nplab({"as", "p.s", "--time-limit", "1", "--memory-limit", "0"}, folder.path()),
      "p.s:1:1: error: assembling this program takes more than 1 s of processor time");
  check_refused(call_nplab({"as", "p.s", "--memory-limit", "32"}, folder.path()),
                "p.s:1:1: error: assembling this program takes more than 32 MiB of memory");
}
