// How long users wait for tables: nplab bench builders.
#include <catch2/catch.hpp>

#include "tests/tools/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

nlohmann::json bench_builders(const Words& words) {
  const Outcome outcome = call_nplab(Words{"bench", "builders"} + words);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out).at("rows");
}

// Processor time; an unoptimised build or a sanitizer's is slower.
#ifdef NDEBUG
constexpr double kSlack = 1;
#else
constexpr double kSlack = 20;
#endif

}  // namespace

TEST_CASE("tables of 10,000 rules are built in under 2 seconds of processor time, or refused in them",
          "[builder_speed]") {
  for (const auto& row : bench_builders({"--count", "10000"})) {
    INFO(row.dump());
    const std::string mapping = row.at("mapping");
    CHECK(row.at("processor_s").get<double>() < 2 * kSlack);
    if (mapping != "hicuts-data") {
      CHECK_FALSE(row.contains("refused"));
      CHECK(row.at("table_bytes") > 100000);
    } else if (row.contains("refused")) {
      CHECK_THAT(row.at("refused").get<std::string>(), Contains("the tree of 10000 rules has more than"));
    }
  }
}

TEST_CASE("tuple tables of 100,000 rules are built in under 20 seconds of processor time", "[builder_speed]") {
  for (const auto& row : bench_builders({"tss-data", "tm-data", "--count", "100000", "--profile", "ipc"})) {
    INFO(row.dump());
    CHECK_FALSE(row.contains("refused"));
    CHECK(row.at("processor_s").get<double>() < 20 * kSlack);
    CHECK(row.at("built").at("hash_tables") > 1);
  }
}

TEST_CASE("the bit vector refuses what it cannot hold with the arithmetic", "[builder_speed]") {
  const auto rows = bench_builders({"bv1", "--count", "600", "--profile", "acl"});
  REQUIRE(rows.size() == 1);
  CHECK_THAT(rows[0].at("refused").get<std::string>(),
             Contains("600 rules; bit-vector takes up to 512") && Contains("N x N / 4 bytes"));
}
