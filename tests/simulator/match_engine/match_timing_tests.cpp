// Exact cycles of the match engine, computed by hand from its latencies.
#include <catch2/catch.hpp>

#include "tests/simulator/match_engine/match_bench.h"

namespace nplab::test {
namespace {

// Lookups of one rule, the n-th in cycle `at[n]`: the cycles that each took.
std::vector<Cycles> latencies(const MatchDescription& description, const std::vector<Cycle>& at) {
  TableImage tables({1u << 16, 0}, Collisions::kRefuse);
  REQUIRE(tables.insert(rule_of(7, 70)) == isa::match::Placed::kPlaced);
  RequestList packets;
  for (const Cycle cycle : at)
    packets.add_lookup(7, 64, cycle);
  ResultList results;
  MatchEngine engine(description, exact_match(), tables, &packets, nullptr, results);
  REQUIRE(run_to_end(engine));
  std::vector<Cycles> taken;
  for (std::size_t i = 0; i < at.size(); ++i)
    taken.push_back(results.of(i).ended - results.of(i).begun);
  return taken;
}

}  // namespace

// To the hash 1, its 4, the cache's 5, to the pipeline 1, eight stages: 19.
TEST_CASE("a lookup that hits takes the ways, the hash, the cache's read and eight stages",
          "[match]") {
  MatchDescription unit = published_unit();
  CHECK(latencies(unit, {Cycle(), Cycle(1'000)})[1] == 1 + 4 + 5 + 1 + 8);
  unit.hash_latency = 2;
  unit.cache.read_latency = 4;
  CHECK(latencies(unit, {Cycle(), Cycle(1'000)})[1] == 1 + 2 + 4 + 1 + 8);
}

// To the load queue in cycle 10; the store queue is asked and answers, 2; to memory 1, in cycle 13.
// The memory's clock: 40 of 9 cycles. Cycle 13 begins in clock 57.8, so the read is taken in clock
// 58 and its data end in clock 58 + 42 = 100: cycle 22.5, so 23; the way back takes 2, the load
// queue sees it in cycle 26, passes it on, 1, and eight stages follow.
TEST_CASE("a lookup that misses takes an unloaded read of DRAM more", "[match]") {
  CHECK(latencies(published_unit(), {Cycle()})[0] == 26 + 1 + 8);
}

TEST_CASE("lookups of one line that are under way get its line together, and one another's counts",
          "[match]") {
  std::vector<Cycle> at;
  for (std::uint64_t i = 0; i < 40; ++i)
    at.emplace_back(i);
  const auto taken = latencies(published_unit(), at);
  CHECK(taken[0] == 35);
  CHECK(taken[1] == 35);  // it came a cycle later and leaves a cycle later
  CHECK(taken[39] == 35);
}

// In cycle 20 the lookup waits for memory, in 31 it is in the update stage.
TEST_CASE("what waits is named with its module, its slot and its tag", "[match]") {
  RequestList packets;
  packets.add_lookup(7);
  ResultList results;
  MatchEngine engine(published_unit(), exact_match(),
                     TableImage({1u << 16, 0}, Collisions::kRefuse), &packets, nullptr, results);
  const auto slot = isa::match::home_slot(isa::match::hash_of(1, key_of(7)), 1u << 16);
  const auto waiting_in = [&engine](std::uint64_t cycle) {
    engine.run(Cycle(cycle));
    std::vector<std::string> lines;
    engine.describe_waiting(lines);
    return lines;
  };
  CHECK(waiting_in(20) ==
        std::vector<std::string>{
            "input handler: 1 of 256 sessions are under way",
            "load queue: slot " + std::to_string(slot) + " waits for memory; tags 0",
            "memory: 1 reads wait, 0 requests in the controllers"});
  CHECK(engine.without_progress() == 20);
  CHECK(waiting_in(30) ==
        std::vector<std::string>{"input handler: 1 of 256 sessions are under way",
                                 "action pipeline: tag 0 with slot " + std::to_string(slot) +
                                     " is in stage 3 (update)"});
  CHECK(waiting_in(100).empty());
  CHECK(engine.without_progress() == 0);
}

TEST_CASE("one lookup ends per cycle while all lines are in the cache", "[match]") {
  constexpr std::uint32_t kRules = 50, kPackets = 3'000;
  TableImage tables({1u << 20, 0}, Collisions::kRefuse);
  for (std::uint32_t rule = 0; rule < kRules; ++rule)
    REQUIRE(tables.insert(rule_of(rule, rule)) == isa::match::Placed::kPlaced);
  RequestList packets;
  for (std::uint32_t i = 0; i < kPackets; ++i)
    packets.add_lookup(i % kRules);
  ResultList results;
  MatchEngine engine(published_unit(), exact_match(), tables, &packets, nullptr, results);
  REQUIRE(run_to_end(engine));
  const Cycles taken = results.results.back().ended - results.results[1'000].ended;
  CHECK(taken == kPackets - 1 - 1'000);
  CHECK(engine.cache().counters().misses < 2 * kRules);
}

}  // namespace nplab::test
