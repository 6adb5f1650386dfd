// What nplab bench builders says. How long a builder takes is the bench's to measure; here two
// sizes are compared in one run: that time does not grow with the square of the rules.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

nlohmann::json bench_builders(const Words& words) {
  const Outcome outcome = call_nplab(Words{"bench", "builders"} + words);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out).at("rows");
}

// Of processor time the least of several counts: what else runs on the host only adds to it.
double least_seconds(const std::string& mapping, const std::string& rules, unsigned times) {
  double least = 0;
  for (unsigned i = 0; i < times; ++i) {
    const auto rows = bench_builders({mapping, "--count", rules, "--profile", "ipc"});
    REQUIRE(rows.size() == 1);
    INFO(rows[0].dump());
    REQUIRE_FALSE(rows[0].contains("refused"));
    const double seconds = rows[0].at("processor_s");
    least = i == 0 ? seconds : std::min(least, seconds);
  }
  return least;
}

}  // namespace

TEST_CASE("tables of 10,000 rules are built, or refused with the arithmetic", "[builder_bench]") {
  for (const auto& row : bench_builders({"--count", "10000"})) {
    INFO(row.dump());
    if (row.at("mapping") == "hicuts-data" && row.contains("refused")) {
      CHECK_THAT(row.at("refused").get<std::string>(),
                 Contains("the tree of 10000 rules has more than"));
    } else {
      REQUIRE_FALSE(row.contains("refused"));
      CHECK(row.at("table_bytes") > 100000);
    }
  }
}

TEST_CASE("tuple tables of ten times the rules take less than fifty times the processor time",
          "[builder_bench]") {
  for (const char* mapping : {"tss-data", "tm-data"}) {
    const double few = least_seconds(mapping, "10000", 4);
    const double many = least_seconds(mapping, "100000", 2);
    INFO(mapping << ": " << few << " s and " << many << " s");
    CHECK(many < 50 * few);  // about 18 times; a hundred times if it grew with the square
  }
}

TEST_CASE("the bit vector refuses what it cannot hold with the arithmetic", "[builder_bench]") {
  const auto rows = bench_builders({"bv1", "--count", "600", "--profile", "acl"});
  REQUIRE(rows.size() == 1);
  CHECK_THAT(rows[0].at("refused").get<std::string>(),
             Contains("600 rules; bit-vector takes up to 512") && Contains("N x N / 4 bytes"));
}

TEST_CASE("the builders' bench refuses names of nothing", "[builder_bench]") {
  const Outcome outcome = call_nplab({"bench", "builders", "tss-dat", "--profile", "acll"});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains("did you mean 'tss-data'?") && Contains("did you mean 'acl'?"));
}
