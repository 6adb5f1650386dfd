// nplab match: what it prints, writes and refuses.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

Outcome refused(const Words& words) {
  Outcome outcome = call_nplab(Words{"match", "--packets", "10"} + words);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  return outcome;
}

}  // namespace

TEST_CASE("match prints a report, and writes the same as JSON", "[match]") {
  const ScratchFolder folder;
  const Words words{"match",     "--packets",    "500", "--rules", "gen:acl,count=50",
                    "--traffic", "gen:count=100"};
  const Outcome report = call_nplab(words + Words{"--json", "m.json"}, folder.path());
  CHECK(report.status == 0);
  CHECK_THAT(report.out, Contains("packets     500, ") && Contains(" 0 misclassified; counters of "
                                                                   "0 rules are not exact"));
  const auto json = read_json(folder.file("m.json"));
  CHECK(json.at("schema") == "nplab.match_run/1");
  CHECK(json.at("packets") == 500);
  CHECK(json.at("misclassified") == 0);
  CHECK(json.at("inexact_rules") == 0);
  const Outcome again = call_nplab(words + Words{"--json", "-"}, folder.path());
  CHECK(nlohmann::json::parse(again.out) == json);
}

TEST_CASE("match refuses a unit that cannot be built, and says what could be", "[match]") {
  CHECK_THAT(refused({"--cache-lines", "3000"}).err,
             Contains("--cache-lines: 0, or a power of two from 4 to 16777216, is expected"));
  CHECK_THAT(refused({"--channels", "3"}).err,
             Contains("--channels: a power of two from 1 to 16 is expected"));
  CHECK_THAT(refused({"--collisions", "chains"}).err, Contains("--collisions"));
  CHECK_THAT(refused({"--slot-bits", "4", "--rules", "gen:acl,count=100"}).err,
             Contains("the rule has no place in the match unit's tables: another rule has its "
                      "place; more slots, or `chain` for collisions, would help"));
}

TEST_CASE("match writes the commands of its memory as the trace's readers expect", "[match]") {
  const ScratchFolder folder;
  const Outcome run = call_nplab({"match", "--packets", "50", "--trace", "m.dram"}, folder.path());
  CHECK(run.status == 0);
  CHECK_THAT(read_text(folder.file("m.dram")), Contains(", ACT, ") && Contains(", RD, "));
}

TEST_CASE("match names the files and lines of rules that the unit does not take", "[match]") {
  const ScratchFolder folder;
  const std::string web = "@10.0.0.0/8\t0.0.0.0/0\t0 : 65535\t80 : 80\t0x06/0xFF\n";
  const std::string mail = "@10.0.0.0/8\t0.0.0.0/0\t0 : 65535\t25 : 25\t0x06/0xFF\n";
  const std::string same = folder.write("same.rules", web + mail + web);
  CHECK(call_nplab({"match", "--packets", "10", "--rules", same, "--traffic", "gen:count=10"})
            .status == 0);
  CHECK_THAT(refused({"--rules", same, "--traffic", "gen:count=10", "--same-key", "refuse"}).err,
             Contains("same.rules:3:1: error: the rule has the key of rule 0, line 1, which is "
                      "better, so that it would not match: leave one of them out"));
  // Three rules in tables of two places.
  const std::string dns = "@10.0.0.0/8\t0.0.0.0/0\t0 : 65535\t53 : 53\t0x11/0xFF\n";
  const std::string three = folder.write("three.rules", web + mail + dns);
  const Outcome full = refused({"--rules", three, "--traffic", "gen:count=10", "--slot-bits", "1"});
  CHECK_THAT(full.err, Contains("three.rules:") &&
                           Contains("has no place in the match unit's "
                                    "tables") &&
                           Contains("more slots, or `chain` for collisions, would help"));
}

TEST_CASE("match takes rule updates while packets are looked up, and checks all of them",
          "[match]") {
  const ScratchFolder folder;
  const Outcome report =
      call_nplab({"match", "--packets", "2000", "--rules", "gen:acl,count=50", "--traffic",
                  "gen:count=400", "--updates", "30", "--json", "m.json"},
                 folder.path());
  CHECK(report.status == 0);
  CHECK_THAT(report.out, Contains("updates     ") && Contains(" 0 wrong; "));
  const auto json = read_json(folder.file("m.json"));
  CHECK(json.at("misclassified") == 0);
  CHECK(json.at("inexact_rules") == 0);
  CHECK(json.at("updates").at("wrong") == 0);
  CHECK(json.at("updates").at("inserts").get<int>() > 100);
  CHECK(json.at("updates").at("deletes").get<int>() > 100);
  CHECK(json.at("updates").at("counter_reads").get<int>() > 100);
}

TEST_CASE("match writes a page and a trace of a range of cycles, and refuses other traces",
          "[match]") {
  const ScratchFolder folder;
  const Outcome run = call_nplab({"match", "--packets", "300", "--html", "m.html", "--trace",
                                  "m.json", "--trace-cycles", "100-300"},
                                 folder.path());
  CHECK(run.status == 0);
  CHECK_THAT(read_text(folder.file("m.html")), Contains("Rate over time"));
  double first = 1e9, last = 0;
  for (const auto& event : read_json(folder.file("m.json")).at("traceEvents"))
    if (event.at("ph") == "X") {
      first = std::min(first, event.at("ts").get<double>());
      last = std::max(last, event.at("ts").get<double>());
    }
  CHECK(first >= 100);
  CHECK(last <= 301);
  CHECK_THAT(refused({"--trace", "m.vcd"}).err,
             Contains("--trace: error: 'm.vcd' ends neither in .json"));
  CHECK_THAT(refused({"--trace", "m.json", "--trace-cycles", "9-3"}).err,
             Contains("--trace-cycles"));
}
