// An algorithm's answers do not depend on where its tasks run.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;

namespace {

constexpr unsigned kPackets = 400;

struct Fates {
  unsigned sent = 0;
  unsigned denied = 0;
  unsigned no_match = 0;
  friend bool operator==(const Fates&, const Fates&) = default;
};

std::ostream& operator<<(std::ostream& out, const Fates& fates) {
  return out << fates.sent << " sent, " << fates.denied << " denied, " << fates.no_match
             << " without a match";
}

// `overrides` as --set takes them.
Fates fates_of(const std::string& mapping, const Words& overrides) {
  Words call{mapping,
             "--rules",
             data_file("three-fates.rules.yaml"),
             "--traffic",
             "gen:hit=0.5,count=400",
             "--packets",
             std::to_string(kPackets),
             "--arrival",
             "lossless",
             "--drain"};
  for (const std::string& override : overrides)
    call = call + Words{"--set", override};
  const auto record = record_of(call);
  check_record(record);
  check_all_classified(record);
  const auto& packets = record.at("packets");
  CHECK(packets.at("offered") == kPackets);
  return {packets.at("sent"), packets.at("denied"), packets.at("no_match")};
}

// On the mapping as it is shipped; every fate is common.
Fates usual_fates(const std::string& mapping) {
  const Fates fates = fates_of(mapping, {});
  REQUIRE(fates.sent > 40);
  REQUIRE(fates.denied > 40);
  REQUIRE(fates.no_match > 40);
  REQUIRE(fates.sent + fates.denied + fates.no_match == kPackets);
  return fates;
}

std::string first_engines(unsigned count) {
  std::string list;
  for (unsigned engine = 1; engine <= count; ++engine)
    list += (engine > 1 ? ", " : "") + std::to_string(engine);
  return "[" + list + "]";
}

void check_threads_of_one_engine(const std::string& mapping) {
  const Fates usual = usual_fates(mapping);
  for (unsigned threads = 1; threads <= 4; ++threads) {
    INFO(threads << " threads of engine 1");
    const std::string number = std::to_string(threads);
    CHECK(fates_of(mapping, {"stages.classify.engines=[1]", "stages.classify.threads=" + number}) ==
          usual);
  }
}

void check_engines(const std::string& mapping) {
  const Fates usual = usual_fates(mapping);
  for (unsigned engines = 1; engines <= 4; ++engines) {
    INFO(engines << " engines");
    CHECK(fates_of(mapping, {"stages.classify.engines=" + first_engines(engines)}) == usual);
  }
}

const Words kPipeline{"dimension1", "dimension2", "dimension3", "intersection"};

}  // namespace

TEST_CASE("LS answers the same on 1, 2, 3 and 4 threads of one engine", "[placement_ls]") {
  check_threads_of_one_engine("ls");
}
TEST_CASE("LS answers the same on 1, 2, 3 and 4 engines", "[placement_ls]") {
  check_engines("ls");
}
TEST_CASE("BV1 answers the same on 1, 2, 3 and 4 threads of one engine", "[placement_bv1]") {
  check_threads_of_one_engine("bv1");
}
TEST_CASE("BV1 answers the same on 1, 2, 3 and 4 engines", "[placement_bv1]") {
  check_engines("bv1");
}

TEST_CASE("BV2 answers the same with 1, 2, 3 and 4 threads in every stage", "[placement_bv2]") {
  const Fates usual = usual_fates("bv2");
  for (unsigned threads = 1; threads <= 4; ++threads) {
    INFO(threads << " threads per stage");
    Words overrides;
    for (const std::string& stage : kPipeline) {
      overrides.push_back("stages." + stage + ".threads=" + std::to_string(threads));
    }
    CHECK(fates_of("bv2", overrides) == usual);
  }
}

TEST_CASE("BV2 answers the same with its four stages on one, two and three engines",
          "[placement_bv2]") {
  const Fates usual = usual_fates("bv2");
  // Engine and contexts of each stage.
  const std::vector<std::vector<std::pair<std::string, std::string>>> placements{
      {{"1", "0"}, {"1", "1"}, {"1", "2"}, {"1", "3"}},
      {{"1", "0, 1"}, {"1", "2, 3"}, {"2", "0, 1"}, {"2", "2, 3"}},
      {{"1", "0, 1, 2, 3"}, {"2", "0"}, {"2", "1, 2, 3"}, {"3", "0, 1, 2, 3"}}};
  for (const auto& placement : placements) {
    Words overrides;
    for (std::size_t i = 0; i < placement.size(); ++i) {
      overrides.push_back("stages." + kPipeline[i] + ".engines=[" + placement[i].first + "]");
      overrides.push_back("stages." + kPipeline[i] + ".threads=[[" + placement[i].second + "]]");
    }
    INFO(overrides[0] << " " << overrides[2] << " " << overrides[4] << " " << overrides[6]);
    CHECK(fates_of("bv2", overrides) == usual);
  }
}

TEST_CASE("BV1 and BV2 give the packets of one stream the same fates as LS", "[placement_bv2]") {
  const Fates usual = usual_fates("ls");
  CHECK(usual_fates("bv1") == usual);
  CHECK(usual_fates("bv2") == usual);
}

TEST_CASE("a mapping may say that packets without a match are let pass", "[placement_bv1]") {
  const Fates usual = usual_fates("bv1");
  const auto record = record_of({"bv1", "--rules", data_file("three-fates.rules.yaml"), "--traffic",
                                 "gen:hit=0.5,count=400", "--packets", "400", "--arrival",
                                 "lossless", "--drain", "--set", "no_match=allow"});
  check_all_classified(record);
  CHECK(record.at("packets").at("sent") == usual.sent + usual.no_match);
  CHECK(record.at("packets").at("denied") == usual.denied);
}

TEST_CASE("a queue between all threads of two stages gives the same answers as queues of their own",
          "[placement_bv1]") {
  const Fates usual = usual_fates("bv1");
  CHECK(fates_of("bv1", {"queues.received.per=shared"}) == usual);
  CHECK(fates_of("bv1", {"queues.received.route=all"}) == usual);
}
