// Waveforms of a range of cycles, as run and exec write them.
#include <catch2/catch.hpp>

#include <map>
#include <sstream>

#include "tests/tools/support/command.h"

namespace nplab::tools::testing {
namespace {

const Words kRun{"run", "bv1", "--packets", "60", "--quiet"};

std::size_t lines_beginning(const std::string& text, const std::string& with) {
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);)
    count += line.starts_with(with);
  return count;
}

}  // namespace

TEST_CASE("run writes the waveform of the cycles asked for, and the record is the same as without",
          "[trace]") {
  const ScratchFolder folder;
  const Words trace{"--trace", folder.file("run.vcd"), "--trace-cycles", "9000-9499"};
  REQUIRE(call_nplab(kRun + Words{"--json", folder.file("plain.json")}).status == 0);
  REQUIRE(call_nplab(kRun + trace + Words{"--json", folder.file("traced.json")}).status == 0);
  auto plain = read_json(folder.file("plain.json")), traced = read_json(folder.file("traced.json"));
  plain.erase("host");
  traced.erase("host");
  CHECK(plain == traced);
  const std::string text = read_text(folder.file("run.vcd"));
  // One time a cycle and one at the end; a core cycle of 165.89 MHz is 6028.09 ps.
  CHECK(lines_beginning(text, "#") == 501);
  CHECK(text.find("#54252818\n") != std::string::npos);
  CHECK(text.find("#57266864\n") != std::string::npos);
  for (const char* part :
       {"$scope module engine5 $end", "$scope module context3 $end", " command_fifo [1:0] $end",
        "$scope module sdram $end", "swaits_for_", "sexecuting "})
    CHECK_THAT(text, Catch::Contains(part));
  CHECK(folder.names() == std::vector<std::string>{"plain.json", "run.vcd", "traced.json"});
}

TEST_CASE("GTKWave's own reader takes the waveform and gives back every signal and time",
          "[trace]") {
  if (run_program("sh", {"-c", "command -v vcd2fst && command -v fst2vcd"}).status != 0) {
    WARN("skipped: vcd2fst and fst2vcd (package gtkwave) are not installed");
    return;
  }
  const ScratchFolder folder;
  REQUIRE(call_nplab(kRun + Words{"--trace", folder.file("run.vcd"), "--trace-cycles", "9000-9499"})
              .status == 0);
  REQUIRE(run_program("vcd2fst", {"run.vcd", "run.fst"}, folder.path()).status == 0);
  const Outcome back = run_program("fst2vcd", {"run.fst"}, folder.path());
  REQUIRE(back.status == 0);
  const std::string text = read_text(folder.file("run.vcd"));
  CHECK(lines_beginning(back.out, "$var ") == lines_beginning(text, "$var "));
  CHECK(lines_beginning(back.out, "$var ") > 70);
  CHECK(lines_beginning(back.out, "$scope ") == lines_beginning(text, "$scope "));
  CHECK(lines_beginning(back.out, "#") >= 500);
  CHECK_THAT(back.out, Catch::Contains("swaits_for_"));
}

TEST_CASE("exec traces, too, and shows the words of the program", "[trace]") {
  const ScratchFolder folder;
  (void)folder.write("three.s", "  immed[a0, 0]\n  nop\n  ctx_arb[kill]\n");
  const Outcome outcome = call_nplab(
      {"exec", "three.s", "--trace", "three.vcd", "--trace-cycles", "0-5"}, folder.path());
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const std::string text = read_text(folder.file("three.vcd"));
  // The first word is in P3 in cycle 3.
  CHECK_THAT(text, Catch::Contains("#18084\n"));
  CHECK(lines_beginning(text, "#") == 7);
}

TEST_CASE(
    "trace events hold every executed cycle of every engine, and each reference begins and ends",
    "[trace]") {
  const ScratchFolder folder;
  const std::string program = folder.write("three.s",
                                           "  immed[a0, 0]\n  immed[a1, 64]\n  sram[read, $0, a1, "
                                           "0, 1], ctx_swap\n  nop\n  ctx_arb[kill]\n");
  const Words exec{"exec", program};
  const Outcome outcome = call_nplab(
      exec + Words{"--json", "--trace", folder.file("three.json"), "--trace-cycles", "0-200"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const auto counted = nlohmann::json::parse(outcome.out).at("cycles");
  std::map<std::string, std::uint64_t> cycles;
  std::uint64_t lines = 0, begun = 0, ended = 0;
  const auto trace = read_json(folder.file("three.json"));
  for (const auto& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    if (phase == "X" && event.at("cat") == "state")
      cycles[event.at("name")] += event.at("dur").get<std::uint64_t>();
    if (phase == "X" && event.at("cat") == "source")
      lines += event.at("args").at("instructions").get<std::uint64_t>();
    if (phase == "b")
      begun = event.at("ts").get<std::uint64_t>();
    if (phase == "e")
      ended = event.at("ts").get<std::uint64_t>();
  }
  CHECK(cycles.at("executing") == counted.at("executing"));
  CHECK(cycles.at("aborted") == counted.at("aborted"));
  CHECK(cycles.contains("waiting for sram"));
  CHECK(lines == counted.at("executing"));
  CHECK(begun == 5);  // the third word is in P3 in cycle 5
  CHECK(ended > begun + 15);
}

TEST_CASE("a Kanata log retires every executed instruction and flushes every aborted slot",
          "[trace]") {
  const ScratchFolder folder;
  REQUIRE(
      call_nplab(kRun + Words{"--trace", folder.file("run.kanata"), "--trace-cycles", "9000-9499"})
          .status == 0);
  const std::string text = read_text(folder.file("run.kanata"));
  CHECK(text.starts_with("Kanata\t0004\nC=\t9000\n"));
  CHECK(lines_beginning(text, "I\t") == lines_beginning(text, "R\t"));
  CHECK(lines_beginning(text, "S\t") == lines_beginning(text, "E\t"));
  CHECK(lines_beginning(text, "C\t") == 500);
  std::istringstream lines(text);
  std::size_t flushed = 0, retired = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("R\t"))
      continue;
    (line.ends_with("\t1") ? flushed : retired) += 1;
  }
  CHECK(retired > 1000);
  CHECK(flushed > 200);
  CHECK_THAT(text, Catch::Contains("bv1-engine"));
}

TEST_CASE("a trace that cannot be is refused before the run, all errors at once", "[trace]") {
  const ScratchFolder folder;
  const Outcome outcome =
      call_nplab(kRun + Words{"--trace", folder.file("run.png"), "--trace-cycles", "9-5"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Catch::Contains("--trace-cycles 9-5") && Catch::Contains("FIRST-LAST"));
  CHECK_THAT(outcome.err, Catch::Contains("run.png") && Catch::Contains(".vcd"));
  CHECK(folder.names().empty());
}

}  // namespace nplab::tools::testing
