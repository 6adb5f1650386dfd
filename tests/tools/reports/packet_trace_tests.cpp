// nplab trace packet: a packet's way agrees with the run's record.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

nlohmann::json story_of(const std::string& packet, const Words& words) {
  const Outcome outcome =
      call_nplab(Words{"trace", "packet", packet} + words + Words{"--json", "-"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

void check_work(const nlohmann::json& story) {
  for (const auto& work : story.at("work")) {
    INFO("engine " << work.at("engine") << " thread " << work.at("thread"));
    std::uint64_t behind = work.at("from").get<std::uint64_t>();
    for (const auto& stretch : work.at("stretches")) {
      const auto from = stretch.at("from").get<std::uint64_t>(),
                 to = stretch.at("to").get<std::uint64_t>();
      CHECK(from >= behind);
      behind = to;
      const auto count = [&](const char* key) { return stretch.at(key).get<std::uint64_t>(); };
      CHECK(to - from == count("executing") + count("aborted") + count("stalled"));
      std::uint64_t executed = 0;
      for (const auto& range : stretch.at("words"))
        executed +=
            (range.at("last").get<std::uint64_t>() - range.at("first").get<std::uint64_t>() + 1) *
            range.at("times").get<std::uint64_t>();
      CHECK(executed == count("executing"));
    }
    CHECK(behind == work.at("to"));
    for (const auto& reference : work.at("references")) {
      CHECK(reference.at("issued") < reference.at("granted"));
      CHECK(reference.at("granted") < reference.at("served"));
      CHECK(reference.at("served") <=
            reference.at("completed"));  // fast_wr completes as it is served
    }
  }
}

}  // namespace

TEST_CASE("the packets of a drained run have the latencies and fates of its record",
          "[packet_trace]") {
  const std::string mapping = GENERATE("ls", "bv1", "bv2");
  const Words words{mapping, "--packets", "4", "--drain"};
  const auto record = record_of(words);
  std::vector<std::uint64_t> latencies;
  std::uint64_t sent = 0;
  for (unsigned packet = 0; packet < 4; ++packet) {
    INFO(mapping << " packet " << packet);
    const auto story = story_of(std::to_string(packet), words);
    check_work(story);
    CHECK(story.contains("verdict"));
    CHECK(story.at("work").size() >= 2);
    if (!story.contains("sent"))
      continue;
    ++sent;
    latencies.push_back(story.at("latency_cycles").get<std::uint64_t>());
    CHECK(story.at("sent").at("cycle").get<std::uint64_t>() -
              story.at("received").get<std::uint64_t>() ==
          latencies.back());
  }
  CHECK(record.at("packets").at("sent") == sent);
  REQUIRE_FALSE(latencies.empty());
  CHECK(*std::min_element(latencies.begin(), latencies.end()) ==
        record.at("latency_cycles").at("min"));
  CHECK(*std::max_element(latencies.begin(), latencies.end()) ==
        record.at("latency_cycles").at("max"));
}

TEST_CASE("a packet passes every stage of a pipeline and the queues between them",
          "[packet_trace]") {
  nlohmann::json story;
  for (unsigned packet = 0; !story.contains("sent"); ++packet) {
    REQUIRE(packet < 4);
    story = story_of(std::to_string(packet), {"bv2", "--packets", "4", "--drain"});
  }
  std::set<std::string> stages;
  for (const auto& work : story.at("work"))
    stages.insert(work.at("stage").get<std::string>());
  CHECK(stages.contains("receive"));
  CHECK(stages.contains("intersection"));
  CHECK(stages.contains("transmit"));
  CHECK_FALSE(story.at("queues").empty());
  for (const auto& wait : story.at("queues"))
    CHECK(wait.at("from") <= wait.at("to"));
}

TEST_CASE("the text names threads, words, references and their queues", "[packet_trace]") {
  const Outcome outcome = call_nplab({"trace", "packet", "1", "bv1", "--packets", "3", "--drain"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("packet 1 of bv1: received on port"));
  CHECK_THAT(outcome.out, Contains("(classify), cycles"));
  CHECK_THAT(outcome.out, Contains("served from sram.order_queue"));
  CHECK_THAT(outcome.out, Contains("(its bytes)"));
}

TEST_CASE("a packet that the run does not receive is an error", "[packet_trace]") {
  const Outcome outcome = call_nplab({"trace", "packet", "1000", "bv1", "--packets", "3"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("packet 1000") && Contains("was not received"));
}

TEST_CASE("packets are followed through a run whose rules change, with what was right when",
          "[packet_trace]") {
  const Words words{"tss-data",  "--updates", "gen:count=40,start=3000,absent=0.5",
                    "--packets", "12",        "--drain"};
  const auto record = record_of(words);
  REQUIRE(record.at("updates").at("inserts") > 0);
  CHECK(record.at("packets").at("misclassified") == 0);
  std::uint64_t slowest = 0, right_at_an_end = 0;
  for (unsigned packet = 0; packet < 12; packet += 3) {
    INFO("packet " << packet);
    const auto story = story_of(std::to_string(packet), words);
    check_work(story);
    if (story.contains("latency_cycles"))
      slowest = std::max(slowest, story.at("latency_cycles").get<std::uint64_t>());
    const auto& right = story.at("right_rule");
    const auto& rule = story.at("verdict").at("rule");
    // Another may have been right between the two.
    if (rule == right.at("when_received") || rule == right.at("at_verdict"))
      ++right_at_an_end;
  }
  CHECK(right_at_an_end >= 3);
  CHECK(slowest > 0);
  CHECK(slowest <= record.at("latency_cycles").at("max"));
  const Outcome text = call_nplab(Words{"trace", "packet", "3"} + words);
  CHECK_THAT(text.out, Contains("(right when it was received: ") && Contains(", at the verdict: "));
}

TEST_CASE("a packet's number below 0 is refused at once", "[packet_trace]") {
  const Outcome outcome = call_nplab({"trace", "packet", "-1", "bv1"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("expected an integer, found '-1'"));
}
