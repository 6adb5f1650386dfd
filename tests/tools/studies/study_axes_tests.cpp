// nplab study with several axes, samples, filters and repeated runs.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

constexpr const char* kOptions =
    "options: {packets: 120, set: [\"queues.received.entries={entries}\", "
    "\"workload.frame_bytes={bytes}\"]}\n";
constexpr const char* kSeries = "series: [{name: bv, mapping: bv1}]\n";

std::string study_of(const std::string& varied, const std::string& rest = "") {
  return "study: s\nsummary: two axes\n" + varied + kOptions +
         "figures: [{metric: packets_per_s, title: rate}, {metric: latency_cycles.p99}]\n" +
         kSeries + rest;
}

constexpr const char* kGrid =
    "axes:\n  - {name: entries, from: 16, to: 64, values: 3, scale: log}\n"
    "  - {name: bytes, points: [64, 1000]}\n";

Words labels(const nlohmann::json& study) {
  return study.at("points").get<Words>();
}

}  // namespace

TEST_CASE("a study runs every combination of its axes and prints a line for each", "[study]") {
  const ScratchFolder folder;
  const std::string json = folder.file("s.json"), csv = folder.file("s.csv");
  const Outcome outcome =
      call_nplab({"study", folder.write("s.yaml", study_of(kGrid)), "--json", json, "--csv", csv});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("6 combinations of entries, bytes") &&
                              Contains("entries  bytes") && Contains("latency_cycles.p99"));
  const auto study = read_json(json);
  CHECK(labels(study) == Words{"entries=16, bytes=64", "entries=16, bytes=1000",
                               "entries=32, bytes=64", "entries=32, bytes=1000",
                               "entries=64, bytes=64", "entries=64, bytes=1000"});
  CHECK(study.at("axes") == Words{"entries", "bytes"});
  const auto& point = study.at("series")[0].at("points")[3];
  CHECK(point.at("at").at("entries") == "32");
  // Each is the run that its values name.
  const auto record = record_of({"bv1", "--packets", "120", "--set", "queues.received.entries=32",
                                 "--set", "workload.frame_bytes=1000"});
  CHECK(point.at("latency_cycles.p99") == record.at("latency_cycles").at("p99"));
  const std::string text = read_text(csv);
  CHECK_THAT(text, Catch::StartsWith("series,mapping,entries,bytes,packets_per_s,"
                                     "latency_cycles.p99\r\nbv,bv1,16,64,"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 7);
}

TEST_CASE("conditions exclude combinations, and values on the command line choose among them",
          "[study]") {
  const ScratchFolder folder;
  const std::string file = folder.write(
      "s.yaml", study_of(std::string(kGrid) + "where: [\"bytes == 64 or entries < 64\"]\n"));
  const auto count = [&](const Words& points) {
    return call_nplab(Words{"study", file, "--dry-run"} + points).out;
  };
  CHECK(count({}) == "5 runs\n");
  CHECK(count({"entries=16"}) == "2 runs\n");
  CHECK(count({"entries=16", "entries=64"}) == "3 runs\n");
  CHECK(count({"entries=64", "bytes=64"}) == "1 runs\n");
  const Outcome wrong = call_nplab({"study", file, "entrie=16", "bytes=63"});
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Contains("entrie=16: error: there is no axis 'entrie'; did you mean "
                                 "'entries'?") &&
                            Contains("bytes=63: error: the axis 'bytes' has no point '63'; did "
                                     "you mean '64'?"));
}

TEST_CASE("a sample of the axes is as large as it says and the same every time", "[study]") {
  const ScratchFolder folder;
  const std::string sampled =
      "axes:\n  - {name: entries, points: [16, 32, 64, 128]}\n"
      "  - {name: bytes, from: 64, to: 1500}\n";
  for (const std::string method : {"random", "latin_hypercube"}) {
    const auto file = [&](const std::string& seed) {
      return folder.write("s.yaml", study_of(sampled + "sample: {method: " + method +
                                             ", combinations: 4, seed: " + seed + "}\n"));
    };
    const std::string json = folder.file("s.json");
    const auto drawn = [&](const std::string& seed) {
      const Outcome outcome = call_nplab({"study", file(seed), "--quiet", "--json", json});
      INFO(outcome.err);
      REQUIRE(outcome.status == 0);
      return labels(read_json(json));
    };
    const Words first = drawn("7");
    CHECK(first.size() == 4);
    CHECK(first == drawn("7"));
    CHECK(first != drawn("8"));
  }
}

TEST_CASE("repeated runs give a mean and its interval, and a run per seed", "[study]") {
  const ScratchFolder folder;
  const std::string json = folder.file("s.json"), csv = folder.file("s.csv");
  const std::string text =
      "study: s\nsummary: rules that are drawn\naxis: {name: rules, points: [20, 40]}\n"
      "repeat: {runs: 3, seed: 5, confidence: 90}\n"
      "options: {packets: 120, rules: \"gen:acl,count={rules},seed={seed}\", traffic: "
      "\"gen:hit=1.0,count=120\"}\n"
      "figures: [{metric: packets_per_s}]\nrelative_to: {at: 20}\nseries: [{name: bv, mapping: "
      "bv1}]\n";
  const Outcome outcome =
      call_nplab({"study", folder.write("s.yaml", text), "--json", json, "--csv", csv});
  INFO(outcome.err << outcome.out);
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("3 runs per point, seeds 5 to 7: mean +- half of the 90 % "
                                   "confidence interval (Student's t)") &&
                              Contains("1.00 +- 0.00"));
  const auto study = read_json(json);
  const auto& point = study.at("series")[0].at("points")[1];
  const auto& repeated = point.at("repeated").at("packets_per_s");
  const auto values = repeated.at("values").get<std::vector<double>>();
  REQUIRE(values.size() == 3);
  CHECK(values[0] != values[1]);
  const auto record = record_of({"bv1", "--packets", "120", "--seed", "6", "--rules",
                                 "gen:acl,count=40,seed=6", "--traffic", "gen:hit=1.0,count=120"});
  CHECK(values[1] == Approx(record.at("packets").at("classified").get<double>() /
                            record.at("simulated_seconds").get<double>()));
  // t(0.95, 2) = 2.919986
  const double mean = (values[0] + values[1] + values[2]) / 3;
  double squares = 0;
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  const double half = 2.919986 * std::sqrt(squares / 2) / std::sqrt(3.0);
  CHECK(point.at("packets_per_s").get<double>() == Approx(mean));
  CHECK(repeated.at("high").get<double>() == Approx(mean + half).epsilon(1e-6));
  CHECK(repeated.at("low").get<double>() == Approx(mean - half).epsilon(1e-6));
  CHECK_THAT(read_text(csv), Contains("rules,packets_per_s,packets_per_s.runs,packets_per_s."
                                      "deviation,packets_per_s.low,packets_per_s.high"));
}

TEST_CASE("claims and bases name points of several axes by some of their values", "[study]") {
  const ScratchFolder folder;
  const std::string claims =
      "relative_to: {at: {bytes: 64}}\nclaims:\n  - claim: small frames are faster\n    metric: "
      "packets_per_s\n    series: bv\n    at: [{bytes: 64}]\n    over: {at: {bytes: 1000}}\n    "
      "at_least: 1.1\n";
  const std::string json = folder.file("s.json");
  const Outcome outcome =
      call_nplab({"study", folder.write("s.yaml", study_of(kGrid, claims)), "--json", json});
  INFO(outcome.err << outcome.out);
  CHECK(outcome.status == 0);
  const auto study = read_json(json);
  const auto& values = study.at("claims")[0].at("values");
  REQUIRE(values.size() == 3);
  const auto& points = study.at("series")[0].at("points");
  CHECK(values.at("entries=32, bytes=64").get<double>() ==
        Approx(points[2].at("packets_per_s").get<double>() /
               points[3].at("packets_per_s").get<double>()));
  CHECK_THAT(outcome.out, Contains("relative") && Contains("1.00"));
}

TEST_CASE("what is wrong with axes is reported at its line, with the nearest names", "[study]") {
  const ScratchFolder folder;
  struct Case {
    std::string varied;
    std::string expected;
  };
  const Case cases[] = {
      {"axes: [{name: entries, points: [16]}, {name: bytes, from: 64}]\n",
       "s.yaml:3:39: error: a range has both ends"},
      {"axes: [{name: entries, points: [16]}, {name: bytes, from: 64, to: 8, values: 2}]\n",
       "s.yaml:3:67: error: `to` is above `from`"},
      {"axes: [{name: entries, points: [16]}, {name: bytes, from: 0, to: 8, values: 2, scale: "
       "log}]\n",
       "a range with `scale: log` begins above 0"},
      {"axes: [{name: entries, points: [16]}, {name: bytes, from: 64, to: 80}]\n",
       "a range says how many `values` it gives, unless the study has `sample`"},
      {"axes: [{zip: {entries: [16, 32], bytes: [64]}}]\n",
       "s.yaml:3:41: error: 'bytes' has 1 values and 'entries' has 2"},
      {"axes: [{name: entries, points: [16]}, {name: byte, points: [64]}]\n",
       "s.yaml:4:68: error: there is no axis 'bytes' for {bytes}; did you mean 'byte'?"},
      {"axes: [{name: entries, points: [16]}, {name: entries, points: [64]}]\n",
       "there are two axes 'entries'"},
      {"axes: [{name: entries, points: [16]}, {name: bytes, pionts: [64]}]\n",
       "did you mean 'points'?"},
      {std::string(kGrid) + "where: [\"entires > 16\"]\n",
       "s.yaml:6:9: error: \"entires > 16\": there is no axis 'entires'; did you mean 'entries'?"},
      {std::string(kGrid) + "where: [\"entries > 64\"]\n", "no combination meets all conditions"},
      {std::string(kGrid) + "sample: {method: latin, combinations: 4}\n",
       "'latin' is not one of random, latin_hypercube"},
      {std::string(kGrid) + "repeat: {runs: 1}\n", "out of range: at least 2"},
      {std::string(kGrid) + "repeat: {runs: 2, confidence: 100}\n",
       "a confidence lies between 0 and 100 %"},
      {std::string(kGrid) + "axis: {name: n, points: [1]}\n",
       "a study varies an `axis`, or several `axes`"},
      {"axis: {name: entries, points: [16]}\nwhere: [entries > 1]\n", "`where` goes with `axes`"}};
  for (const Case& one : cases) {
    const Outcome outcome = call_nplab({"study", folder.write("s.yaml", study_of(one.varied))});
    INFO(one.varied);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(one.expected));
  }
}

TEST_CASE("a claim about several axes names those that there are", "[study]") {
  const ScratchFolder folder;
  const auto judged = [&](const std::string& at) {
    const std::string claims =
        "claims: [{claim: c, metric: latency_cycles.p98, series: bv, at: " + at + ", below: 1}]\n";
    return call_nplab({"study", folder.write("s.yaml", study_of(kGrid, claims))}).err;
  };
  CHECK_THAT(judged("[{byte: 64}]"), Contains("there is no axis 'byte'; did you mean 'bytes'?") &&
                                         Contains("there is no 'p98' in latency_cycles"));
  CHECK_THAT(judged("[{bytes: 65}]"), Contains("the axis 'bytes' has no point '65'"));
  CHECK_THAT(judged("[64]"), Contains("a point of several axes is written as a map"));
}
