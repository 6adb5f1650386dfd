// nplab study: declarative studies, their figures and claims.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/paths.h"
#include "tests/tools/support/command.h"
#include "tests/tools/support/generated_input.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// Two runs of LS, judged by the claim whose last line is given.
std::string small_study(const std::string& bound) {
  return "study: small\nsummary: LS with two sizes of frames\naxis: {name: bytes, points: [64, "
         "1000]}\n"
         "options: {packets: 60, set: [\"workload.frame_bytes={bytes}\"]}\n"
         "figures: [{metric: packets_per_s}]\n"
         "series: [{name: ls, mapping: ls, published: {64: 100}}]\n"
         "claims:\n  - claim: small frames are classified faster\n    metric: packets_per_s\n    "
         "series: ls\n"
         "    at: [64]\n    over: {at: 1000}\n    " +
         bound + "\n    cause: frames of 1000 bytes arrive more slowly\n";
}

}  // namespace

TEST_CASE("a study prints its figures beside the published ones and a claim that holds",
          "[study]") {
  const ScratchFolder folder;
  const Outcome outcome =
      call_nplab({"study", folder.write("small.yaml", small_study("at_least: 1.5"))});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("packets_per_s, by bytes") && Contains("published"));
  CHECK_THAT(outcome.out, Contains("held          small frames are classified faster"));
}

TEST_CASE("a claim that fails is reported with its cause and gives exit status 1", "[study]") {
  const ScratchFolder folder;
  const std::string json = folder.file("s.json");
  const Outcome outcome =
      call_nplab({"study", folder.write("small.yaml", small_study("below: 1.5")), "--json", json});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("FAILED        small frames are classified faster"));
  CHECK_THAT(outcome.out, Contains("cause: frames of 1000 bytes arrive more slowly"));
  const auto study = read_json(json);
  CHECK(study.at("schema") == "nplab.study/1");
  CHECK(study.at("claims")[0].at("outcome") == "FAILED");
  CHECK(study.at("claims")[0].at("values").at("64").get<double>() > 1.5);
  CHECK(study.at("series")[0].at("points")[0].at("published") == 100);
}

TEST_CASE("a run without room for its rules is shown as refused where the study expects it",
          "[study]") {
  const ScratchFolder folder;
  const auto study_of = [&](const std::string& points, const std::string& key) {
    return folder.write(
        "sizes.yaml", "study: sizes\nsummary: s\naxis: {name: rules, points: [" + points +
                          "]}\noptions: {packets: 20, traffic: \"gen:hit=1.0,count=20\"}\n" + key +
                          "figures: [{metric: table_bytes}]\n"
                          "series: [{name: bv, mapping: bv1, rules: \"gen:acl,count={rules}\"}]\n");
  };
  const std::string json = folder.file("s.json");
  const Outcome expected =
      call_nplab({"study", study_of("8, 600", "may_refuse: true\n"), "--json", json});
  CHECK(expected.status == 0);
  CHECK_THAT(expected.out, Contains("refused") && Contains("bv at 600: ") &&
                               Contains("bit-vector takes up to 512"));
  const auto point = read_json(json).at("series")[0].at("points")[1];
  CHECK(point.at("refused") == true);
  CHECK(point.at("table_bytes").is_null());

  const Outcome unexpected = call_nplab({"study", study_of("8, 600", "")});
  CHECK(unexpected.status != 0);
  CHECK_THAT(unexpected.out, Contains("Run bv at rules 600 FAILED"));

  // Not one run of the series is possible: that is no size.
  const Outcome all = call_nplab({"study", study_of("600, 700", "may_refuse: true\n")});
  CHECK(all.status != 0);
}

TEST_CASE("what is wrong with a study is reported all at once, with file, line and column",
          "[study]") {
  const ScratchFolder folder;
  const std::string file =
      folder.write("bad.yaml",
                   "study: bad\nsummary: s\naxis: {name: n, points: [1, 2]}\n"
                   "options: {arrival: fast, ports_in: 0-x}\nfigures: [{metric: packet_per_s}]\n"
                   "series: [{name: a, mapping: ls, published: {3: 1}}]\n"
                   "claims: [{claim: c, metric: build_s, series: b, at: [1], over: {at: 4}}]\n");
  const Outcome outcome = call_nplab({"study", file});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err,
             Contains("bad.yaml:5:20: error: there is no metric 'packet_per_s'; did you mean "
                      "'packets_per_s'?"));
  CHECK_THAT(outcome.err,
             Contains("bad.yaml:4:20: error: 'fast' is not one of: wire") && Contains("lossless"));
  CHECK_THAT(outcome.err, Contains("bad.yaml:4:36: error: ports are written 0-3 or 0,2"));
  CHECK_THAT(outcome.err, Contains("the axis 'n' has no point '3'") &&
                              Contains("the axis 'n' has no point '4'"));
  CHECK_THAT(outcome.err, Contains("there is no series 'b'"));
  CHECK_THAT(outcome.err, Contains("a claim has a bound: at_least, at_most or below"));
}

TEST_CASE(
    "without a name the studies are listed, and a name that is none is answered with the nearest",
    "[study]") {
  const Outcome listed = call_nplab({"study"});
  CHECK(listed.status == 0);
  CHECK_THAT(listed.out, Contains("speedup") && Contains("quantum"));
  const Outcome wrong = call_nplab({"study", "speed"});
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Contains("there is no study 'speed'") && Contains("speedup"));
}

TEST_CASE("a study may be run at other points than its own, and a claim on every point takes them",
          "[study]") {
  const ScratchFolder folder;
  const std::string bound =
      "at_least: 1.5\n  - claim: all\n    metric: packets_per_s\n    series: ls\n"
      "    at: every\n    at_least: 1";
  const Words words{"study",  folder.write("small.yaml", small_study(bound)),
                    "64",     "200",
                    "--json", folder.file("s.json")};
  const Outcome outcome = call_nplab(words);
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  const auto study = read_json(folder.file("s.json"));
  CHECK(study.at("points") == Words{"64", "200"});
  CHECK(study.at("claims")[0].at("outcome") ==
        "not looked at");  // 1000, which it divides by, is not run
  CHECK(study.at("claims")[1].at("outcome") == "held");
  CHECK(study.at("claims")[1].at("values").size() == 2);
}

TEST_CASE("a figure's published values stand below its lines and in the JSON", "[study]") {
  const ScratchFolder folder;
  std::string text = small_study("at_least: 1.5");
  const std::string plain = "{metric: packets_per_s}";
  text.replace(text.find(plain), plain.size(),
               "{metric: packets_per_s, published: {on paper: {64: 4711}}}");
  const Outcome outcome =
      call_nplab({"study", folder.write("s.yaml", text), "--json", folder.file("s.json")});
  INFO(outcome.err);
  CHECK_THAT(outcome.out, Contains("on paper") && Contains("4711"));
  CHECK(read_json(folder.file("s.json")).at("published")[0].at("points").at("64") == 4711);
}

TEST_CASE("a claim may compare one ratio with another", "[study]") {
  const ScratchFolder folder;
  // Frames of 64 bytes over those of 200, divided by those of 200 over those of 1000.
  const auto judged = [&](const std::string& than, const std::string& name) {
    std::string text = small_study("at_least: 0\n    than: {" + than + "}");
    const std::string points = "[64, 1000]";
    text.replace(text.find(points), points.size(), "[64, 200, 1000]");
    const std::string over = "over: {at: 1000}";
    text.replace(text.find(over), over.size(), "over: {at: 200}");
    const std::string json = folder.file(name + ".json");
    const Outcome outcome =
        call_nplab({"study", folder.write(name + ".yaml", text), "--json", json});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return read_json(json);
  };
  const auto study = judged("series: ls, at: 200, over: {at: 1000}", "ratios");
  const auto& points = study.at("series")[0].at("points");
  const auto rate = [&](int i) { return points[i].at("packets_per_s").get<double>(); };
  CHECK(study.at("claims")[0].at("values").at("64").get<double>() ==
        Approx(rate(0) / rate(1) / (rate(1) / rate(2))));
  // Without an `over` the other figure itself divides.
  CHECK(
      judged("series: ls, at: 200", "figure").at("claims")[0].at("values").at("64").get<double>() ==
      Approx(rate(0) / rate(1) / rate(1)));
}

TEST_CASE("a chart of a study has bars as long as its figures are", "[study]") {
  const ScratchFolder folder;
  const std::string file =
      folder.write("s.yaml", small_study("at_least: 1.5") +
                                 "charts:\n  - title: by size\n    metric: packets_per_s\n"
                                 "    relative_to: {series: ls, at: 1000}\n    bars:\n"
                                 "      - {name: large, series: ls, at: 1000}\n"
                                 "      - {name: small, series: ls, at: 64}\n");
  const Outcome outcome = call_nplab({"study", file, "--json", folder.file("s.json")});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const auto bars = read_json(folder.file("s.json")).at("charts")[0].at("bars");
  REQUIRE(bars.size() == 2);
  CHECK(bars[0].at("relative") == 1);
  CHECK_FALSE(bars[0].contains("published"));
  CHECK(bars[1].at("published") == 100);
  CHECK(bars[1].at("published_relative").is_null());  // the base has none
  const auto length_of = [&](const std::string& name) {
    const std::string from = outcome.out.substr(outcome.out.find("\n  " + name + " ") + 1);
    const std::string line = from.substr(0, from.find('\n'));
    return static_cast<double>(std::count(line.begin(), line.end(), '#'));
  };
  CHECK(length_of("small") == 50);
  CHECK(length_of("large") == Approx(50 / bars[1].at("relative").get<double>()).margin(0.51));

  // Without its base a chart has no lengths.
  const Outcome one = call_nplab({"study", file, "64"});
  CHECK_THAT(one.out, Contains("large") && !Contains("#"));
}

TEST_CASE(
    "on 100 and 1000 rules TupleMerge needs fewer hash tables and probes than tuple space search",
    "[study_tuples]") {
  const ScratchFolder folder;
  const std::string json = folder.file("s.json");
  const Outcome outcome = call_nplab({"study", "tuples", "--quick", "--json", json});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 0);
  const auto study = read_json(json);
  REQUIRE(study.at("claims").size() == 6);
  for (const auto& claim : study.at("claims")) {
    CHECK(claim.at("outcome") == "held");
    CHECK(claim.at("values").size() == 2);
  }
  // Every hash table is looked into once at most, and one at least.
  for (const auto& series : study.at("series")) {
    for (const auto& point : series.at("points")) {
      CHECK(point.at("references.slots") >= 1);
      CHECK(point.at("references.slots") <= point.at("built.hash_tables"));
    }
  }
}

TEST_CASE("rule sets of one's own are points of the study of tuple sets", "[study_tuples]") {
  const GeneratedInput input(23, 80, 1);
  const ScratchFolder folder;
  const std::string own = folder.write("own.rules", input.rules_text());
  const Outcome outcome =
      call_nplab({"study", "tuple-sets", own, "gen:fw,count=50,seed=4", "--quick"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out,
             Contains("held          TupleMerge needs fewer hash tables") && Contains(" own "));
}

TEST_CASE("at 1, 8 and 32 threads the claims on speedup hold", "[study_speedup]") {
  const Outcome outcome = call_nplab({"study", "speedup", "--quick"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 0);
}

// A hand-over through a ring with a lap bit has less to share among several entries than the flag
// that a quantum needs costs.
TEST_CASE("the study of quanta fails its claims where hand-overs are cheap, and says so",
          "[study_quantum]") {
  const ScratchFolder folder;
  const std::string json = folder.file("s.json");
  const Outcome outcome = call_nplab({"study", "quantum", "--quick", "--json", json});
  INFO(outcome.out << outcome.err);
  const auto study = read_json(json);
  CHECK(outcome.status == 1);
  for (const auto& claim : study.at("claims")) {
    CHECK(claim.at("outcome") == "FAILED");
    CHECK(claim.at("values").at("20").get<double>() < 1.05);
  }
  // HiCuts is fast enough that its threads hardly poll: the references are those of hand-overs.
  const auto& hicuts = study.at("series").at(1);
  CHECK(hicuts.at("name") == "hicuts-data");
  const auto& points = hicuts.at("points");
  REQUIRE(points.size() == 2);
  CHECK(points[1].at("references").get<double>() > points[0].at("references").get<double>());
}

TEST_CASE(
    "with locks in memory taking twenty headers at a time is faster and needs fewer references",
    "[study_quantum]") {
  const ScratchFolder folder;
  std::string study = read_text(nplab::source_path("mappings/studies/quantum.yaml"));
  const std::string key = "\"queues.received.quantum={quantum}\"";
  study.replace(study.find(key), key.size(), key + ", queues.received.sync=memory_lock");
  study.replace(study.find("rules: acl"), 10,
                "rules: " + nplab::source_path("mappings/studies/acl"));
  study = study.substr(0, study.find("  - name: abv-pipe")) + study.substr(study.find("claims:"));
  const std::string json = folder.file("s.json");
  const Outcome outcome =
      call_nplab({"study", folder.write("s.yaml", study), "--quick", "--json", json});
  INFO(outcome.out << outcome.err);
  for (const auto& series : read_json(json).at("series")) {
    const auto& points = series.at("points");
    REQUIRE(points.size() == 2);
    CHECK(points[1].at("packets_per_s").get<double>() >
          1.05 * points[0].at("packets_per_s").get<double>());
    CHECK(points[1].at("references").get<double>() < points[0].at("references").get<double>());
  }
}

TEST_CASE(
    "the study of updates holds its claims, and updates are done at the rate that a point asks for",
    "[study_updates]") {
  const ScratchFolder folder;
  const std::string json = folder.file("study.json");
  const Outcome outcome = call_nplab({"study", "updates", "--quick", "--json", json});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 0);
  const auto study = read_json(json);
  for (const auto& claim : study.at("claims"))
    CHECK(claim.at("outcome") == "held");
  for (const auto& series : study.at("series")) {
    const auto& points = series.at("points");
    REQUIRE(points.size() == 3);
    CHECK(points[0].at("updates") == 1);
    CHECK(points[1].at("updates_per_s").get<double>() == Approx(10000).epsilon(0.05));
    CHECK(points[2].at("updates_per_s").get<double>() > 50000);
  }
}

TEST_CASE("updates of a study are refused where its mapping takes none", "[study]") {
  const ScratchFolder folder;
  std::string text = small_study("at_least: 1.5");
  text.replace(text.find("packets: 60,"), 12, "packets: 60, updates: \"gen:rate={bytes}\",");
  const Outcome outcome = call_nplab({"study", folder.write("s.yaml", text)});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.out + outcome.err, Contains("--updates"));
}

TEST_CASE("the study of control parallelism holds what it holds, and says why the rest fails",
          "[study]") {
  const ScratchFolder folder;
  const std::string json = folder.file("study.json");
  const Outcome outcome = call_nplab({"study", "control", "--quick", "--json", json});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("the tables lie in external memory"));
  const auto claims = read_json(json).at("claims");
  REQUIRE(claims.size() == 9);
  CHECK(claims[0].at("outcome") == "held");
  CHECK(claims[1].at("outcome") == "FAILED");
  CHECK(claims[2].at("outcome") ==
        "FAILED");  // with the tables in the cache too, since queues are cheap
  INFO("hand-overs move lines between private caches, and not within a shared one");
  CHECK(claims[3].at("outcome") == "held");
  CHECK(claims[4].at("outcome") == "FAILED");
  INFO("with the bits in parallel, too, it is slower than one thread on every chip");
  for (std::size_t i = 5; i < claims.size(); ++i)
    CHECK(claims[i].at("outcome") == "held");
}

// Their claims are those of full size; here each packet is checked, and that every run gives
// figures.
TEST_CASE("the studies of multiprocessors and of caches of flows run at their quick size",
          "[study_quick]") {
  const std::string name =
      GENERATE("locks", "multiprocessors", "multiprocessor-quantum", "older-multiprocessor",
               "flow-cache", "ovs", "ovs-levels", "classification-time");
  const ScratchFolder folder;
  const std::string json = folder.file("study.json");
  const Outcome outcome = call_nplab({"study", name, "--quick", "--json", json});
  INFO(name << ": " << outcome.out << outcome.err);
  REQUIRE((outcome.status == 0 || outcome.status == 1));
  const auto study = read_json(json);
  CHECK_FALSE(study.at("claims").empty());
  for (const auto& series : study.at("series")) {
    for (const auto& point : series.at("points"))
      CHECK(point.at("packets_per_s").get<double>() > 1000);
  }
}

TEST_CASE("a packet's dimensions on several threads at the same time give the answer of one",
          "[study]") {
  const GeneratedInput input(19, 60, 400);
  const ScratchFolder folder;
  Words words{"abv-control",
              "--rules",
              folder.write("r.rules", input.rules_text()),
              "--traffic",
              folder.write("r.trace", input.trace_text()),
              "--packets",
              "0",
              "--arrival",
              "lossless"};
  const std::string lanes = GENERATE("1", "3", "4");
  for (const char* stage : {"fork", "trie0", "trie1", "trie2", "trie3", "trie4", "join"}) {
    words = words + Words{"--set", std::string("stages.") + stage + ".threads=" + lanes};
  }
  const auto record = record_of(words);
  INFO(lanes << " lanes");
  check_record(record);
  check_all_classified(record);
}

TEST_CASE("a packet's groups of rules on several threads at the same time give the first rule",
          "[study]") {
  const GeneratedInput input(20, 400, 400);  // 13 groups for five threads
  const ScratchFolder folder;
  Words words{"bits-control",
              "--rules",
              folder.write("r.rules", input.rules_text()),
              "--traffic",
              folder.write("r.trace", input.trace_text()),
              "--packets",
              "0",
              "--arrival",
              "lossless"};
  const std::string lanes = GENERATE("1", "2");
  for (const char* stage : {"fork", "trie0", "trie1", "trie2", "trie3", "trie4", "join", "part0",
                            "part1", "part2", "part3", "part4", "choose"}) {
    words = words + Words{"--set", std::string("stages.") + stage + ".threads=" + lanes};
  }
  INFO(lanes << " lanes");
  const auto record = record_of(words);
  check_record(record);
  check_all_classified(record);
}

TEST_CASE("queues emptied a quantum at a time lose, repeat and misjudge no packet", "[study]") {
  const GeneratedInput input(17, 60, 400);
  const ScratchFolder folder;
  const Words files{"--rules", folder.write("r.rules", input.rules_text()), "--traffic",
                    folder.write("r.trace", input.trace_text())};
  for (const char* mapping : {"abv-data", "hicuts-data", "tss-data"}) {
    for (const char* quantum : {"3", "64"}) {
      INFO(mapping << " " << quantum);
      const auto record = record_of(Words{mapping} + files +
                                    Words{"--packets", "0", "--arrival", "lossless", "--set",
                                          "queues.received.entries=64", "--set",
                                          std::string("queues.received.quantum=") + quantum});
      check_record(record);
      check_all_classified(record);
    }
  }
}
