// Queues with `order: port`: packets leave in the order in which their port received them.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const Words kOrder = {"--set", "queues.classified.order=port"};

nlohmann::json drained(const std::string& mapping, const Words& words,
                       const std::string& packets = "1500") {
  const auto record = record_of(Words{mapping, "--packets", packets, "--drain"} + words);
  check_record(record);
  const auto& counts = record.at("packets");
  CHECK(counts.at("in_flight") == 0);
  CHECK(counts.at("misclassified") == 0);
  return record;
}

}  // namespace

TEST_CASE("packets of a port overtake one another without order and do not with it",
          "[port_order]") {
  for (const Words& words :
       {Words{"ls"}, Words{"ls", "--traffic", "gen:hit=0.6"}, Words{"ls", "--arrival", "lossless"},
        Words{"bv1", "--traffic", "gen:hit=0.6", "--set", "buffers=64"}}) {
    const Words more(words.begin() + 1, words.end());
    INFO(words.front() << " " << (more.empty() ? "" : more.back()));
    CHECK(drained(words.front(), more).at("packets").at("reordered") > 0);
    CHECK(drained(words.front(), more + kOrder).at("packets").at("reordered") == 0);
  }
}

TEST_CASE("packets that are dropped after they were numbered leave no hole", "[port_order]") {
  const auto record = drained("bv1", Words{"--traffic", "gen:hit=0.5"} + kOrder);
  CHECK(record.at("packets").at("no_match") > 100);
  CHECK(record.at("packets").at("sent") > 100);
  CHECK(record.at("packets").at("reordered") == 0);
}

TEST_CASE("a port whose ring is full has its packets dropped before they are numbered",
          "[port_order]") {
  const auto record = drained("ls", Words{"--set", "queues.classified.entries=2"} + kOrder);
  CHECK(record.at("packets").at("dropped_queue_full") > 100);
  CHECK(record.at("packets").at("reordered") == 0);
}

TEST_CASE("the order is kept by any number of consumers and under random latencies",
          "[port_order]") {
  for (const std::string threads : {"1", "2", "3", "4"}) {
    for (const std::string entries : {"1", "4", "64"}) {
      INFO(threads << " threads, " << entries << " entries");
      const std::string spread =
          "chip.latency_spread={max_delay: 200, seed: " + threads + entries + "}";
      const auto record =
          drained("bv1",
                  Words{"--traffic", "gen:hit=0.6", "--set", "stages.transmit.threads=" + threads,
                        "--set", "queues.classified.entries=" + entries, "--set", spread} +
                      kOrder,
                  "400");
      CHECK(record.at("packets").at("sent") > 20);
      CHECK(record.at("packets").at("reordered") == 0);
    }
  }
}

TEST_CASE("queues between stages keep the order too, and several of them", "[port_order]") {
  const auto record = drained(
      "bv2", Words{"--set", "queues.found2.order=port", "--set", "queues.found2.release=dequeue"} +
                 kOrder);
  CHECK(record.at("packets").at("reordered") == 0);
}

TEST_CASE("show tells how a queue keeps the order of ports", "[port_order]") {
  const Outcome outcome = call_nplab(Words{"show", "bv1", "--brief"} + kOrder);
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("classify -> transmit: 4 rings of 16 entries") &&
                              Contains("order: port; a ring for each port") &&
                              Contains("lap bit in the slot of the packet's number"));
}
