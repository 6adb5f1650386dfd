// The match unit beside engines: `role: unit, unit: match`.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tests/paths.h"
#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const Words kLossless{"--arrival", "lossless", "--drain"};

std::uint64_t count(const nlohmann::json& record, const char* name) {
  return record.at("match").at(name).get<std::uint64_t>();
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
  CHECK(count(record, "lookups") == count(record, "keys_posted"));
  CHECK(count(record, "answers_read") == count(record, "lookups"));
  CHECK(count(record, "matched") <= count(record, "lookups"));
  CHECK(count(record, "under_way") == 0);
  CHECK(count(record, "inexact_rules") == 0);
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

TEST_CASE("a match unit with one session holds keys back in the SRAM unit, and no packet is lost",
          "[unit]") {
  const auto record = record_of(
      Words{"tss-unit", "--rules", "gen:acl,count=100", "--traffic", "gen:count=300", "--packets",
            "300", "--set", "chip.match.sessions=1", "--set", "chip.match.request_queue=1"} +
      kLossless);
  check_record(record);
  check_all_classified(record);
  CHECK(count(record, "posts_that_waited") > 50);
  CHECK(count(record, "post_wait_cycles") > count(record, "posts_that_waited"));
  CHECK(count(record, "most_requests") == 1);
  CHECK(record.at("match").at("sessions").at("most_held") == 1);
}

TEST_CASE("rules come and go in the match unit while threads ask it, and no count is lost",
          "[unit][updates]") {
  const ScratchFolder folder;
  // Rules of four tuples, some of which hide each other: the same key, once with a range.
  std::string rules;
  for (int host = 0; host < 20; ++host) {
    const std::string prefix = "@10.0." + std::to_string(host) + ".0/24\t0.0.0.0/0\t0 : 65535\t";
    rules += prefix + "80 : 80\t0x06/0xFF\n" + prefix + "79 : 81\t0x06/0xFF\n" + prefix +
             "80 : 80\t0x06/0xFF\n" + prefix + "0 : 65535\t0x00/0x00\n";
  }
  rules += "@0.0.0.0/0\t0.0.0.0/0\t0 : 65535\t0 : 65535\t0x00/0x00\n";
  const std::string mode = GENERATE("windows", "lockstep");
  const auto record = record_of({"tss-unit", "--rules", folder.write("r.rules", rules), "--traffic",
                                 "gen:count=600", "--packets", "1500", "--mode", mode, "--updates",
                                 "gen:rate=max,count=2000,absent=0.5,start=2000"});
  INFO(record.at("updates").dump());
  check_record(record);
  const auto updates = [&record](const char* key) {
    return record.at("updates").at(key).get<std::uint64_t>();
  };
  CHECK(updates("inserts") + updates("deletes") > 500);
  CHECK(updates("contested_packets") > 0);
  CHECK(updates("waits") > 0);
  // Rules whose ranges are several prefixes have several entries.
  CHECK(count(record, "updates") > updates("inserts") + updates("deletes"));
  CHECK(count(record, "updates_refused") == 0);
  CHECK(count(record, "inexact_rules") == 0);
}

TEST_CASE("with updates, all rules that are ever in force must have places in the match unit",
          "[unit][updates]") {
  const Outcome outcome =
      call_nplab({"check", "tss-unit", "--rules", "gen:acl,count=100", "--updates", "gen:count=10",
                  "--set", "chip.match.slot_bits=5"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("has no place in the match unit's tables"));
}

TEST_CASE("the record has the match unit over time, and the bytes of the packets that matched",
          "[unit]") {
  const auto record = record_of(Words{"tss-unit", "--packets", "300"} + kLossless);
  const auto& series = record.at("samples").at("match");
  for (const char* name : {"lookups", "looked_up", "bursts", "sessions"}) {
    INFO(name);
    REQUIRE(series.at(name).size() == record.at("samples").at("received").size());
  }
  const auto lookups = series.at("lookups").get<std::vector<std::uint64_t>>();
  CHECK(std::is_sorted(lookups.begin(), lookups.end()));
  CHECK(lookups.back() > 250);
  CHECK(lookups.back() <= count(record, "lookups"));
  // The workload's frames have 64 bytes each.
  CHECK(count(record, "matched_bytes") == 64 * count(record, "matched"));
}

TEST_CASE("the report, the page and the verdict name the match unit", "[unit]") {
  const ScratchFolder folder;
  const std::string page = folder.file("unit.html");
  const Outcome outcome = call_nplab({"run", "tss-unit", "--packets", "300", "--set",
                                      "chip.match.clock_hz=2000000", "--html", page});
  CHECK(outcome.status == 0);
  // So slow a unit is what bounds the run.
  CHECK_THAT(outcome.out, Contains("match unit, input"));
  CHECK_THAT(outcome.out, Contains("Match unit") && Contains("lines per lookup") &&
                              Contains("bytes read of DRAM") &&
                              Contains("reads that waited for their answer"));
  std::ifstream file(page);
  const std::string html{std::istreambuf_iterator<char>(file), {}};
  CHECK_THAT(html, Contains("Match unit over time") && Contains("lines per lookup") &&
                       Contains("match unit, ddr4-2666"));
}

TEST_CASE("the trace of a run has the match unit's modules and sessions among its threads",
          "[unit]") {
  const ScratchFolder folder;
  const std::string trace = folder.file("unit.json");
  const Outcome outcome = call_nplab({"run", "tss-unit", "--packets", "50", "--quiet", "--trace",
                                      trace, "--trace-cycles", "5000-9000"});
  REQUIRE(outcome.status == 0);
  std::ifstream file(trace);
  const auto json = nlohmann::json::parse(file);
  std::set<std::string> rows, modules;
  double first = 1e9, last = 0;
  for (const auto& event : json.at("traceEvents")) {
    if (event.at("ph") == "M")
      rows.insert(event.at("args").at("name").get<std::string>());
    if (event.at("ph") != "X" || event.at("cat") != "session")
      continue;
    modules.insert(event.at("name").get<std::string>());
    first = std::min(first, event.at("ts").get<double>());
    last = std::max(last, event.at("ts").get<double>());
  }
  CHECK(rows.contains("match unit: sessions"));
  CHECK(rows.contains("action pipeline"));
  CHECK(modules ==
        std::set<std::string>{"input handler", "hash", "cache", "load queue", "action pipeline"});
  CHECK(first >= 4'999);
  CHECK(last <= 9'001);
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

TEST_CASE("rules that the unit does not take are refused at their lines", "[unit]") {
  const ScratchFolder folder;
  const auto line_of = [](const char* port) {
    return std::string("@10.0.0.0/8\t0.0.0.0/0\t0 : 65535\t") + port + "\t0x06/0xFF\n";
  };
  const auto error_of = [&](const std::string& rules, const char* setting) {
    const Outcome outcome = call_nplab({"check", "tss-unit", "--rules", rules, "--set", setting});
    CHECK(outcome.status == 2);
    return outcome.err;
  };
  // Two places, and two for chains.
  const std::string five =
      folder.write("five.rules", line_of("80 : 80") + line_of("25 : 25") + line_of("53 : 53") +
                                     line_of("22 : 22") + line_of("21 : 21"));
  CHECK_THAT(error_of(five, "chip.match.slot_bits=1"),
             Contains("five.rules:") && Contains("has no place in the match unit's tables") &&
                 Contains("more slots, or `chain` for collisions, would help"));
  const std::string same = folder.write("same.rules", line_of("80 : 80") + line_of("80 : 80"));
  CHECK_THAT(error_of(same, "parameters.refuse_same_key=1"),
             Contains("same.rules:2:1: error: the rule has the key of rule 0, line 1"));
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

TEST_CASE("a chip file's match unit is refused at the lines that contradict each other", "[unit]") {
  const ScratchFolder folder;
  const std::string chip =
      folder.write("chip.yaml",
                   "extends: ixp1200-match\nname: odd\nmatch:\n  cache_lines: 96\n  cache_ways: 3\n"
                   "  channels: 3\n  load_queu: 8\n");
  const Outcome unknown = call_nplab({"check", "tss-unit", "--chip", chip});
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err,
             Contains("chip.yaml:7:14: error:") && Contains("did you mean 'load_queue'?"));
  const std::string sizes =
      folder.write("sizes.yaml",
                   "extends: ixp1200-match\nname: odd\nmatch:\n  cache_lines: 96\n  cache_ways: 3\n"
                   "  channels: 3\n");
  const Outcome outcome = call_nplab({"check", "tss-unit", "--chip", sizes});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err,
             Contains("sizes.yaml:5:15: error: cache_ways: 3 is not a power of two") &&
                 Contains("sizes.yaml:6:13: error: channels: 3 is not a power of two"));
}

TEST_CASE("a deadlock's report names the match unit's mailboxes and tags as it names threads",
          "[unit]") {
  // A lookup takes longer than the watchdog waits.
  const Outcome outcome = call_nplab(
      {"run", "tss-unit", "--packets", "50", "--drain", "--set", "chip.match.clock_hz=400"});
  CHECK(outcome.status == 3);
  const std::string text = outcome.out + outcome.err;
  CHECK_THAT(text, Contains("no progress since cycle") && Contains("match unit: mailbox ") &&
                       Contains("has had no answer since cycle") &&
                       Contains(", and a read waits for it"));
  CHECK_THAT(text, Contains("input handler: ") && Contains("sessions are under way") &&
                       Contains("load queue: slot ") && Contains("; tags "));
}

TEST_CASE("what predicts and searches refuses the match unit by its name", "[unit]") {
  const Outcome predict = call_nplab({"predict", "tss-unit"});
  CHECK(predict.status == 2);
  CHECK_THAT(predict.err, Contains("does not include the match unit of chip 'ixp1200-match'"));
  const Outcome explore = call_nplab({"explore", "match-unit", "--count"});
  CHECK(explore.status == 2);
  CHECK_THAT(explore.err, Contains("does not include the unit 'match'"));
}
