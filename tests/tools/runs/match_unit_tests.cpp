// The match unit beside engines: `role: unit, unit: match`.
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/paths.h"
#include "tests/tools/support/command.h"
#include "tests/tools/support/generated_input.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const Words kLossless{"--arrival", "lossless", "--drain"};

std::uint64_t built(const nlohmann::json& record, const char* name) {
  return record.at("built").at(name).get<std::uint64_t>();
}

// `tss-unit` with one text in the place of another.
std::string changed_mapping(const ScratchFolder& folder, const std::string& from,
                            const std::string& to) {
  std::ifstream file(nplab::source_path("mappings/match-unit/tss-unit.yaml"));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return folder.write("unit.yaml", text.replace(at, from.size(), to));
}

}  // namespace

TEST_CASE("the match unit answers every packet right, for 1 to 24 threads that ask it", "[unit]") {
  const std::string profile = GENERATE("acl", "fw", "ipc");
  const std::string engines = GENERATE("[1, 2, 3, 4]", "[1]");
  const std::string threads = GENERATE("1", "4");
  INFO(profile << " " << engines << " " << threads);
  const auto record = record_of(Words{"tss-unit", "--rules", "gen:" + profile + ",count=150",
                                      "--traffic", "gen:count=400,hit=0.8", "--packets", "400",
                                      "--set", "stages.classify.engines=" + engines, "--set",
                                      "stages.classify.threads=" + threads} +
                                kLossless);
  check_record(record);
  check_all_classified(record);
  CHECK(built(record, "match_lookups") == built(record, "match_keys_posted"));
  CHECK(built(record, "match_answers_read") == built(record, "match_lookups"));
  CHECK(built(record, "match_lookups_matched") <= built(record, "match_lookups"));
}

TEST_CASE("24 threads of the grid ask the match unit", "[unit]") {
  const auto record =
      record_of(Words{"tss-unit", "--chip", "grid-match", "--rules", "gen:acl,count=300",
                      "--traffic", "gen:count=500", "--packets", "500", "--set",
                      "stages.classify.engines=[1, 2, 3]", "--set", "stages.classify.threads=8"} +
                kLossless);
  check_record(record);
  check_all_classified(record);
}

TEST_CASE("lockstep and windows give the same record with the match unit, whatever its clock",
          "[unit][mode]") {
  const std::string clock = GENERATE("300000000", "166000001", "1000000000", "7000000");
  INFO(clock);
  const Words words{"tss-unit",  "--rules",       "gen:acl,count=100",
                    "--traffic", "gen:count=300", "--packets",
                    "200",       "--set",         "chip.match.clock_hz=" + clock};
  const auto record = [&](const char* mode) {
    auto json = record_of(words + Words{"--mode", mode});
    for (const char* part : {"host", "mode", "window_cycles"})
      json.erase(part);
    return json;
  };
  CHECK(record("lockstep") == record("windows"));
}

TEST_CASE("a unit in a mapping for a chip that has none is refused at its line", "[unit]") {
  const Outcome outcome = call_nplab({"check", "tss-unit", "--chip", "ixp1200"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("tss-unit.yaml:11:") && Contains("stage 'search'") &&
                              Contains("the chip 'ixp1200' has no unit 'match'"));
}

TEST_CASE("an unknown unit, a unit with engines and a unit that is missing are refused", "[unit]") {
  const ScratchFolder folder;
  const auto error_of = [&](const std::string& from, const std::string& to) {
    const Outcome outcome = call_nplab({"check", changed_mapping(folder, from, to)});
    CHECK(outcome.status == 2);
    return outcome.err;
  };
  CHECK_THAT(error_of("unit: match", "unit: mach"), Contains("unit.yaml:11:") && Contains("match"));
  CHECK_THAT(error_of("unit: match", "unit: match, engines: [4]"),
             Contains("unit.yaml:11:") && Contains("runs by itself"));
  CHECK_THAT(error_of("  - {name: search, role: unit, unit: match}\n", ""),
             Contains("use the unit 'match', which no stage names"));
  CHECK_THAT(error_of("algorithm: match-unit", "algorithm: linear-search"),
             Contains("no task of 'linear-search' uses the unit 'match'"));
}

TEST_CASE("rules that the unit's memory does not hold are refused at their line", "[unit]") {
  const GeneratedInput input(3, 60, 20);
  const ScratchFolder folder;
  const std::string rules = folder.write("r.rules", input.rules_text());
  const Outcome outcome =
      call_nplab({"check", "tss-unit", "--rules", rules, "--set", "chip.match.slot_bits=2"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err,
             Contains("r.rules:") && Contains("has no place in the match unit's tables"));
}

TEST_CASE("a match unit that does not fit its chip is refused at its key", "[unit]") {
  const auto error_of = [](const char* setting) {
    const Outcome outcome = call_nplab({"check", "tss-unit", "--set", setting});
    CHECK(outcome.status == 2);
    return outcome.err;
  };
  CHECK_THAT(error_of("chip.match.base=0x7fffff0"), Contains("end outside the SRAM"));
  CHECK_THAT(error_of("chip.match.cache_lines=100"), Contains("not a power of two of sets"));
  CHECK_THAT(error_of("chip.match.channels=3"), Contains("not a power of two"));
}

TEST_CASE("what predicts and searches refuses the match unit by its name", "[unit]") {
  const Outcome predict = call_nplab({"predict", "tss-unit"});
  CHECK(predict.status == 2);
  CHECK_THAT(predict.err, Contains("does not include the match unit of chip 'ixp1200-match'"));
  const Outcome explore = call_nplab({"explore", "match-unit", "--count"});
  CHECK(explore.status == 2);
  CHECK_THAT(explore.err, Contains("does not include the unit 'match'"));
}
