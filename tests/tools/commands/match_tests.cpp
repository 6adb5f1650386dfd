// nplab match: what it prints, writes and refuses.
#include <catch2/catch.hpp>

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
