// nplab study calibration, end to end, and its result beside runs.
#include <catch2/catch.hpp>

#include "tests/paths.h"
#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// A calibration with parameters as given and a few short runs.
std::string small_calibration(const std::string& parameters) {
  const std::string size =
      "{sample: 4, rounds: 1, refined: 2, kept: 3, shippable: 1, short_packets: 1500, packets: "
      "3000}\n";
  return "calibration: small\nsummary: a few settings\nfitted: [bv1]\npredicted: [bv2]\n"
         "limits:\n  - {figures: [receive_rate], within: 5, of: percent, reason: r}\n"
         "  - {figures: [cls.idle_pct], within: 5, of: points, reason: r}\n"
         "rule: {slack: 0, least_kept: 2, identified_below: 25, predicted_below: 25, "
         "steady_share: 25}\n"
         "full: " +
         size + "quick: " + size + "parameters:\n" + parameters;
}

constexpr const char* kWork =
    "  - {name: work, keys: [tuning.receive_work], range: [0, 320], step: 16, unit: i, reason: "
    "r}\n";

}  // namespace

TEST_CASE("a small calibration reports ranges and predictions, the same for the same seed",
          "[study][calibration]") {
  const ScratchFolder folder;
  const std::string file = folder.write("small.yaml", small_calibration(kWork));
  const Outcome outcome =
      call_nplab({"study", file, "--seed", "5", "--json", folder.file("first.json")});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("seed 5") && Contains("receive_rate") && Contains("bv2"));
  const auto result = read_json(folder.file("first.json"));
  CHECK(result.at("schema") == "nplab.calibration/1");
  const auto& work = result.at("parameters")[0];
  CHECK(work.at("low") == 0);
  CHECK(work.at("high") == 320);
  CHECK(work.at("remaining").size() == 2);
  CHECK(work.at("identified").is_boolean());
  CHECK(result.at("targets").size() == 2);
  for (const char* metric :
       {"receive_rate", "packets_sent", "sram_active", "engine4.aborted_pct"}) {
    const auto& range = result.at("predictions").at("bv2").at(metric);
    CHECK(range.at("p5").get<double>() <= range.at("p50").get<double>());
    CHECK(range.at("p50").get<double>() <= range.at("p95").get<double>());
    CHECK(range.at("shipped").is_number());
  }
  REQUIRE(call_nplab({"study", file, "--seed", "5", "--quiet", "--json", folder.file("again.json")})
              .status == 0);
  CHECK(read_text(folder.file("first.json")) == read_text(folder.file("again.json")));
}

TEST_CASE("settings whose programs do not fit are counted and shown", "[study][calibration]") {
  const ScratchFolder folder;
  const std::string file = folder.write(
      "refused.yaml",
      small_calibration("  - {name: store, keys: [chip.engine.control_store_words], levels: [16, "
                        "1024], unit: words, reason: r}\n"));
  const std::string json = folder.file("refused.json");
  const Outcome outcome = call_nplab({"study", file, "--json", json});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(read_json(json).at("runs").at("settings_refused") == 2);
  CHECK(read_json(json).at("runs").at("settings_failed") == 0);
  CHECK_THAT(outcome.out, Contains("2 settings were refused"));
}

TEST_CASE("what is wrong with a calibration is reported all at once, with file, line and column",
          "[study][calibration]") {
  const ScratchFolder folder;
  std::string text = small_calibration(
      "  - {name: a, keys: [tuning.poll_work], range: [9, 1], unit: i, reason: r}\n"
      "  - {name: a, keys: [tuning.poll_work], levels: [1, 2], mappings: [bv3], unit: i, reason: "
      "r}\n"
      "  - {name: b, keys: [tuning.poll_work], unit: i, reason: r}\n");
  text.replace(text.find("fitted: [bv1]"), 13, "fitted: [bv2]");
  text.replace(text.find("slack: 0"), 8, "slak: 00");
  const Outcome outcome = call_nplab({"study", folder.write("bad.yaml", text)});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("bad.yaml:3:10: error: no figures of 'bv2' are printed"));
  CHECK_THAT(outcome.err, Contains("bad.yaml:8:14: error: unknown key 'slak'"));
  CHECK_THAT(outcome.err,
             Contains("bad.yaml:12:48: error: a range is a lower and a higher number"));
  CHECK_THAT(outcome.err, Contains("bad.yaml:13:12: error: there are two parameters 'a'"));
  CHECK_THAT(outcome.err, Contains("'bv3' is not run"));
  CHECK_THAT(outcome.err,
             Contains("bad.yaml:14:5: error: a parameter has either a range or levels"));
}

TEST_CASE("a study of runs along an axis takes no seed, a calibration no points",
          "[study][calibration]") {
  const Outcome seed = call_nplab({"study", "control", "--quick", "--seed", "2"});
  CHECK(seed.status == 2);
  CHECK_THAT(seed.err, Contains("--seed: error: only a calibration draws settings"));
  const Outcome points = call_nplab({"study", "calibration", "1"});
  CHECK(points.status == 2);
  CHECK_THAT(points.err, Contains("a calibration has no axis of points"));
}

TEST_CASE("compare --published prints the ranges that the calibration gives for BV2",
          "[published][calibration]") {
  const auto result = read_json(nplab::source_path("mappings/studies/calibration-result.json"));
  const Outcome outcome = call_nplab({"compare", "bv1", "bv2", "--packets", "300", "--published"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("bv2: no published figures here; the ranges"));
  CHECK_THAT(outcome.out, Contains("settings that nplab study calibration kept (seed " +
                                   std::to_string(result.at("seed").get<int>())));
}
