// --set, --seed and the other switches that change one thing of an experiment.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

nlohmann::json without_host(nlohmann::json record) {
  record.erase("host");
  return record;
}

nlohmann::json bv1_with(const Words& words) {
  return record_of(Words{"bv1", "--packets", "200"} + words);
}

// All packets of the stream are received and leave.
const Words kAll{"--arrival", "lossless", "--drain"};

}  // namespace

TEST_CASE(
    "optimize chooses the compiler, and its level 2 needs fewer instructions than the published "
    "one",
    "[set]") {
  const auto published = bv1_with({"--set", "optimize=published"});
  const auto level2 = bv1_with({"--set", "optimize=2"});
  check_record(published);
  check_record(level2);
  CHECK(level2.at("engines")[1].at("words").get<unsigned>() <
        published.at("engines")[1].at("words").get<unsigned>());
}

TEST_CASE("an unknown value of optimize is refused with the known ones", "[set]") {
  const Outcome outcome = call_nplab({"check", "bv1", "--set", "optimize=speed"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("speed") && Contains("published") && Contains("2"));
}

TEST_CASE("the option --seed changes what is drawn, and is reported in the record", "[set]") {
  const auto one = bv1_with({"--seed", "1"});
  const auto two = bv1_with({"--seed", "2"});
  CHECK(one.at("seed") == 1);
  CHECK(two.at("seed") == 2);
  CHECK(one.at("state_hash") != two.at("state_hash"));
}

TEST_CASE("without --seed the workload's is used", "[set]") {
  auto given = without_host(bv1_with({"--seed", "1"}));
  CHECK(given == without_host(bv1_with({})));
}

TEST_CASE("a bare key of --set is the mapping's", "[set]") {
  auto bare = without_host(bv1_with({"--set", "queues.received.entries=64"}));
  auto named = without_host(bv1_with({"--set", "mapping.queues.received.entries=64"}));
  CHECK(bare.at("options").at("set") == nlohmann::json{"queues.received.entries=64"});
  bare.erase("options");
  named.erase("options");
  CHECK(bare == named);
}

TEST_CASE("a value that --set gives is the one that show shows", "[set]") {
  const Outcome outcome =
      call_nplab({"show", "bv1", "--brief", "--set", "queues.received.entries=64"});
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("16 rings of 64 entries"));
}

TEST_CASE("the option --set makes the maps that a mapping left out", "[set]") {
  const Outcome pinned =
      call_nplab({"show", "bv1", "--brief", "--set", "memory.sram.received=0x20000"});
  INFO(pinned.err);
  REQUIRE(pinned.status == 0);
  CHECK_THAT(pinned.out, Contains("queue received               sram        0x20000"));
  const Outcome tuned = call_nplab({"show", "bv1", "--brief", "--set", "tuning.poll_yields=1"});
  INFO(tuned.err);
  REQUIRE(tuned.status == 0);
  CHECK_THAT(tuned.out, Contains("tuning poll_yields = 1"));
}

TEST_CASE("work that a tuning key asks for is done at every level of optimisation", "[set]") {
  const auto work_a_packet = [](const Words& words) {
    const auto record = bv1_with(words + kAll + Words{"--set", "tuning.poll_work=0"});
    std::uint64_t executing = 0;
    for (const auto& line : record.at("lines")) {
      if (line.at("engine") == 5 && line.at("file") == "mappings/library/unprinted_work.h") {
        executing += line.at("executing").get<std::uint64_t>();
      }
    }
    return executing / 200;
  };
  for (const char* level : {"optimize=published", "optimize=2"}) {
    INFO(level);
    CHECK(work_a_packet({"--set", level, "--set", "tuning.transmit_work=0"}) == 0);
    const auto work = work_a_packet({"--set", level, "--set", "tuning.transmit_work=160"});
    CHECK(work >= 160);
    CHECK(work <= 165);
  }
}

TEST_CASE("tables in a memory that their code does not read are refused at their line", "[set]") {
  const Outcome outcome = call_nplab({"check", "bv1", "--set", "tables.pset=sram"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err ==
        "--set tables.pset: error: node_quadwords 4 reads table pset as quadwords of sdram; write "
        "tables.pset: sdram, or node_quadwords: 0\n");
  CHECK(call_nplab(
            {"check", "bv1", "--set", "tables.pset=sram", "--set", "parameters.node_quadwords=0"})
            .status == 0);
}

TEST_CASE("a run without calibration has no cycles of code that was not printed", "[set]") {
  const auto share = [](const nlohmann::json& record) {
    std::uint64_t cycles = 0;
    for (const auto& engine : record.at("engines")) {
      const auto of_engine = engine.at("calibration_cycles").get<std::uint64_t>();
      const double all = record.at("cycles").at("core").get<double>();
      CHECK(engine.at("calibration_pct").get<double>() ==
            Approx(100.0 * static_cast<double>(of_engine) / all));
      cycles += of_engine;
    }
    return cycles;
  };
  const auto with = bv1_with(kAll);
  const auto without = bv1_with(Words{"--no-calibration"} + kAll);
  check_record(without);
  CHECK(share(with) > 100'000);
  CHECK(share(without) == 0);
  CHECK_THAT(call_nplab(Words{"run", "bv1"} + kAll).out, Contains("calibration work"));
  CHECK_THAT(call_nplab(Words{"run", "bv1", "--no-calibration"} + kAll).out,
             !Contains("calibration work"));
}

TEST_CASE(
    "the option --set of an unknown key below a map that was left out is refused with the name "
    "that is meant",
    "[set]") {
  const Outcome outcome = call_nplab({"check", "bv1", "--set", "memory.sran.received=0x20000"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("'sran'") && Contains("'sram'"));
}

TEST_CASE("the option --set overrides a key of the workload", "[set]") {
  const auto record = bv1_with(Words{"--set", "workload.frame_bytes=128"} + kAll);
  CHECK(record.at("ports")[0].at("frame_bytes").at("receive") == 50 * 128);
}

TEST_CASE("the option --set overrides a key of the chip", "[set]") {
  const auto usual = bv1_with({});
  const auto slower = bv1_with({"--set", "chip.clock.core_hz=100000000"});
  CHECK(usual.at("clocks").at("core_hz") == 165890000);
  CHECK(slower.at("clocks").at("core_hz") == 100000000);
}

TEST_CASE("the stride of the tries is a parameter that does not change the answers", "[set]") {
  for (const char* stride : {"1", "2", "4"}) {
    INFO("stride " << stride);
    // A node that is read whole has two entries, as the published one.
    const auto record = bv1_with(Words{"--set", std::string("parameters.stride=") + stride, "--set",
                                       "parameters.node_quadwords=0"} +
                                 kAll);
    check_all_classified(record);
  }
}

TEST_CASE("the option --ports-in chooses the ports that packets arrive on", "[set]") {
  const auto record = bv1_with(Words{"--ports-in", "0,2"} + kAll);
  CHECK(record.at("ports")[0].at("received") == 100);
  CHECK(record.at("ports")[1].at("received") == 0);
  CHECK(record.at("ports")[2].at("received") == 100);
}

TEST_CASE("the option --packets stops at the end of the cycle in which the last is received",
          "[set]") {
  const auto record = bv1_with({});
  CHECK(record.at("packets").at("received") == 200);
  CHECK(record.at("packets").at("in_flight") > 0);
}

TEST_CASE("the option --drain leaves no packet in flight", "[set]") {
  const auto record = bv1_with({"--drain"});
  const auto& packets = record.at("packets");
  CHECK(packets.at("offered") == 200);
  CHECK(packets.at("in_flight") == 0);
}

TEST_CASE("a slower constant arrival is met", "[set]") {
  const auto record = bv1_with({"--arrival", "40", "--drain"});
  const double receive = record.at("rates_mbps").at("receive");
  CHECK(receive < 4 * 41);
  CHECK(receive > 4 * 30);
  CHECK(record.at("packets").at("missed_by_media") == 0);
}
