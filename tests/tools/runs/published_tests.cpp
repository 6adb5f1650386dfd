// The published experiment at its full length, and what must hold of its figures.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;

namespace {

// Simulated once for all tests here.
const nlohmann::json& runs() {
  static const nlohmann::json comparison = [] {
    const ScratchFolder folder;
    REQUIRE(
        call_nplab({"compare", "ls", "bv1", "bv2", "--quiet", "--json", folder.file("all.json")})
            .status == 0);
    return read_json(folder.file("all.json"));
  }();
  return comparison.at("runs");
}

double rate(const nlohmann::json& run, const char* direction) {
  return run.at("rates_mbps").at(direction);
}

}  // namespace

TEST_CASE("each run of the published experiment goes on until 75000 packets are received",
          "[published]") {
  for (const auto& run : runs()) {
    check_record(run);
    CHECK(run.at("packets").at("received") == 75000);
  }
}

TEST_CASE("BV1 transmits more than LS", "[published]") {
  CHECK(rate(runs()[1], "transmit") > rate(runs()[0], "transmit"));
}

TEST_CASE("the rates of BV1 are within a quarter of the published ones", "[published]") {
  CHECK(rate(runs()[1], "receive") == Approx(335.36).epsilon(0.25));
  CHECK(rate(runs()[1], "transmit") == Approx(272.5).epsilon(0.25));
}

TEST_CASE("the rates of LS are within a quarter of the published ones", "[published]") {
  CHECK(rate(runs()[0], "receive") == Approx(325.35).epsilon(0.25));
  CHECK(rate(runs()[0], "transmit") == Approx(136.74).epsilon(0.25));
}

TEST_CASE("the SRAM is what holds LS back", "[published]") {
  CHECK(runs()[0].at("memory").at("sram").at("active_pct").get<double>() > 95.0);
}
