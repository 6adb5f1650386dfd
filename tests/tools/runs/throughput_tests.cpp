// The highest rate without loss.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

TEST_CASE("the throughput of a mapping is a rate that it keeps, and the next higher one loses",
          "[throughput]") {
  const ScratchFolder folder;
  const auto record = record_of(
      {"bv1", "--no-calibration", "--packets", "3000", "--throughput", "--resolution", "4"});
  check_record(record);
  const auto& found = record.at("throughput");
  const double rate = found.at("offered_mbps");
  CHECK(rate > 0);
  CHECK(found.at("resolution_pct") == 4);
  double lowest_failure = 1e9;
  bool tried = false;
  for (const auto& trial : found.at("trials")) {
    if (!trial.at("passed"))
      lowest_failure = std::min(lowest_failure, trial.at("offered_mbps").get<double>());
    tried = tried || trial.at("offered_mbps") == rate;
  }
  CHECK(tried);
  if (rate < 400) {
    CHECK(lowest_failure > rate);
    CHECK(lowest_failure - rate <= 0.04 * 400);
  }
  CHECK(record.at("packets").at("missed_by_media") == 0);
  CHECK(record.at("packets").at("dropped_queue_full") == 0);
}

TEST_CASE("a mapping that cannot keep line rate has a lower throughput", "[throughput]") {
  const Outcome outcome =
      call_nplab({"run", "ls", "--packets", "1500", "--throughput", "--resolution", "10"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("Mb/s over all ports is the highest offered rate that loses at "
                                   "most 0 %") &&
                              Contains("resolution 10 % of line rate"));
}

TEST_CASE("options that contradict a search for the throughput are refused", "[throughput]") {
  const Outcome arrival = call_nplab({"run", "ls", "--throughput", "--arrival", "wire"});
  CHECK(arrival.status == 2);
  CHECK_THAT(arrival.err, Contains("--throughput") && Contains("--arrival"));
  const Outcome alone = call_nplab({"run", "ls", "--loss", "1"});
  CHECK(alone.status == 2);
  CHECK_THAT(alone.err, Contains("--throughput"));
  CHECK(call_nplab({"run", "ls", "--throughput", "--resolution", "0"}).status == 2);
}

TEST_CASE("a run says where its steady state begins, and reports can leave out its warm-up",
          "[steady]") {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "r.json").string();
  const Outcome run = call_nplab({"run", "bv2", "--packets", "20000", "--json", file});
  REQUIRE(run.status == 0);
  const auto record = read_json(file);
  REQUIRE(record.at("steady").at("reached") == true);
  const auto from = record.at("steady").at("from_cycle").get<std::uint64_t>();
  CHECK(from < record.at("cycles").at("core").get<std::uint64_t>() / 2);
  CHECK_THAT(run.out, Contains("Steady state"));
  const Outcome discarded = call_nplab({"report", file, "--warm-up", "discard"});
  CHECK(discarded.status == 0);
  CHECK_THAT(discarded.out,
             Contains("rates and latencies are those from cycle " + std::to_string(from) + " on"));
}
