// Endurance, in short: nplab soak measures windows, drains and counts the buffers.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"

namespace nplab::tools::testing {
namespace {

// Fewer buffers fill sooner, so that the warm-up is short.
const Words kShortSoak{"soak",      "bv1",   "--set",    "buffers=512",
                       "--packets", "30000", "--window", "5000"};

bool held(const nlohmann::json& soak, const std::string& name) {
  for (const auto& check : soak.at("checks"))
    if (check.at("name") == name)
      return check.at("held").get<bool>();
  FAIL("there is no check " << name);
  return false;
}

}  // namespace

TEST_CASE("a short soak is steady, leaks no buffer and needs no more memory", "[soak]") {
  const ScratchFolder folder;
  const Outcome outcome = call_nplab(kShortSoak + Words{"--json", folder.file("soak.json")});
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.empty());
  const auto soak = read_json(folder.file("soak.json"));
  CHECK(soak.at("finished") == true);
  CHECK(soak.at("warm_up_windows") == 2);
  REQUIRE(soak.at("windows").size() == 6);
  std::uint64_t before = 0;
  for (const auto& window : soak.at("windows")) {
    CHECK(window.at("received") == 5000);
    CHECK(window.at("end_cycle") > before);
    CHECK(window.at("resident_kb") > 1000);
    before = window.at("end_cycle").get<std::uint64_t>();
  }
  CHECK(soak.at("buffers") == nlohmann::json{{"all", 512}, {"free", 512}});
  CHECK(soak.at("run").at("packets").at("in_flight") == 0);
  CHECK(soak.at("run").at("packets").at("misclassified") == 0);
  CHECK(held(soak, "host memory does not grow"));
}

TEST_CASE("a soak ends when its time is up, and says that it was too short", "[soak]") {
  const Outcome outcome = call_nplab({"soak", "bv1", "--for", "1s", "--json", "-"});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.err, Catch::Contains("long enough"));
  const auto soak = nlohmann::json::parse(outcome.out);
  CHECK(soak.at("finished") == true);
  CHECK(soak.at("buffers").at("free") == soak.at("buffers").at("all"));
  CHECK(soak.at("run").at("packets").at("received") > 0);
}

TEST_CASE("wrong options of soak are refused, all at once", "[soak]") {
  const Outcome outcome = call_nplab({"soak", "bv11", "--for", "2 days"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Catch::Contains("--for 2 days") && Catch::Contains("such as 90s or 2h"));
  CHECK_THAT(outcome.err, Catch::Contains("bv11") && Catch::Contains("bv1"));
  CHECK(call_nplab({"soak", "bv1", "--window", "0"}).status == 2);
}

}  // namespace nplab::tools::testing
