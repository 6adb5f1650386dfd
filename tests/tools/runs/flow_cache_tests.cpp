// The flow cache before an algorithm (`front: flow-cache`).
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

using Count = std::uint64_t;

const Words kCached{"--set", "front=flow-cache"};
const Words kRules{"--rules", "gen:acl,count=100,seed=4"};

Count count_of(const nlohmann::json& record, const char* name) {
  return record.at("packets").at(name).get<Count>();
}

nlohmann::json run_of(const std::string& mapping, const Words& more, const std::string& traffic,
                      const std::string& packets = "1500") {
  Words words{mapping, "--traffic", traffic, "--packets", packets, "--arrival", "lossless"};
  words.insert(words.end(), kRules.begin(), kRules.end());
  words.insert(words.end(), more.begin(), more.end());
  return record_of(words);
}

}  // namespace

TEST_CASE("a flow cache before any algorithm leaves each packet's verdict as it is",
          "[flow_cache]") {
  const std::string mapping =
      GENERATE("ls", "bv1", "bv2", "abv-pipe", "hicuts-pipe", "tss-pipe", "tm-data", "rfc-pipe",
               "grid-pipe", "cross-data", "cutsplit-data");
  const auto record = run_of(mapping, kCached, "gen:hit=0.8,locality=0.9,count=1500", "600");
  INFO(mapping);
  check_record(record);
  CHECK(count_of(record, "cached") > 0);
  CHECK(count_of(record, "cached") < count_of(record, "classified"));
}

TEST_CASE("all packets of one flow but the first ones are known to the flow cache",
          "[flow_cache]") {
  const auto record = run_of("tss-data", kCached, "gen:zipf=0:1,count=1500");
  check_record(record);
  INFO("16 threads may look for the flow before one of them has put it in");
  CHECK(count_of(record, "cached") >= count_of(record, "classified") - 16);
  const auto median = [](const nlohmann::json& of) {
    return of.at("classification_cycles").at("p50").get<Count>();
  };
  CHECK(median(record) < median(run_of("tss-data", {}, "gen:zipf=0:1,count=1500")));
}

TEST_CASE("a flow cache without a record of its hits is a run without one", "[flow_cache]") {
  const auto record = run_of("tss-data", {}, "gen:zipf=0:1,count=1500", "200");
  CHECK_FALSE(record.at("packets").contains("cached"));
}

TEST_CASE("a larger or more associative flow cache knows more packets", "[flow_cache]") {
  const auto known = [](const char* sets, const char* ways) {
    Words options = kCached;
    options.insert(options.end(), {"--set", fmt::format("parameters.flow_sets_shift={}", sets),
                                   "--set", fmt::format("parameters.flow_ways={}", ways)});
    const auto record = run_of("tm-data", options, "gen:zipf=0.9:200,count=1500");
    check_record(record);
    return count_of(record, "cached");
  };
  const Count small = known("3", "1");
  const Count large = known("8", "1");
  CHECK(small < large);
  CHECK(known("3", "4") > small);
  INFO("one set of one entry knows only a flow whose packet came just before");
  CHECK(known("0", "1") < small);
}

TEST_CASE("an entry of the flow cache ages", "[flow_cache]") {
  const auto known = [](const std::string& timeout) {
    Words options = kCached;
    options.insert(options.end(), {"--set", "parameters.flow_timeout=" + timeout});
    const auto record = run_of("tm-data", options, "gen:zipf=0:50,count=1500");
    check_record(record);
    return count_of(record, "cached");
  };
  INFO("a flow comes again after 50 packets, some 13,000 cycles, on average");
  CHECK(known("2") < known("30"));
  CHECK(known("30") <= known("0"));
}

TEST_CASE("a verdict of the flow cache is right while rules come and go", "[flow_cache]") {
  const std::string mapping = GENERATE("tss-data", "tm-pipe");
  const auto record =
      record_of({mapping, "--rules", "gen:fw,count=60,seed=3", "--traffic",
                 "gen:zipf=1:40,count=4000", "--packets", "4000", "--set", "front=flow-cache",
                 "--updates", "gen:rate=20000,count=400,absent=0.4"});
  INFO(mapping << ": " << record.at("updates").dump());
  check_record(record);
  CHECK(record.at("updates").at("contested_packets").get<Count>() > 0);
  INFO("an update empties the cache, in effect, and it fills again");
  CHECK(count_of(record, "cached") > count_of(record, "classified") / 10);
}

TEST_CASE("a flow cache needs packets that take one way", "[flow_cache]") {
  const auto refused = call_nplab({"check", "abv-control", "--set", "front=flow-cache"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("--set front: error: flow-cache needs packets that take one "
                                   "way, through stages of tasks; stage 'fork' forks or joins"));
  const auto unknown = call_nplab({"check", "bv1", "--set", "front=flow-cach"});
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Contains("flow-cache"));
}
