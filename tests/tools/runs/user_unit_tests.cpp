// A unit of the user's on the SRAM bus (--unit), in every command: the ternary CAM of
// examples/tcam.
#include <catch2/catch.hpp>

#include "tests/paths.h"
#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const std::string kUnit = std::string("tcam=") + NPLAB_TCAM_UNIT;

std::string example(const std::string& name) {
  return nplab::source_path("examples/tcam/" + name);
}

// The mapping on the chip with a CAM, without the unit.
Words tcam(const std::string& command) {
  return {command, example("tcam.yaml"), "--chip", example("ixp1200-tcam.yaml")};
}

nlohmann::json record_with(const Words& words) {
  const Outcome outcome = call_nplab(
      tcam("run") + Words{"--packets", "300", "--drain", "--quiet", "--json", "-"} + words);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

}  // namespace

TEST_CASE("a unit's parameter is a key of --set, and stands above that of --unit", "[unit]") {
  const auto without_options = [](nlohmann::json record) {
    for (const char* part : {"host", "options"})
      record.erase(part);
    return record;
  };
  const auto slow = record_with({"--unit", kUnit + ",latency_ns=4000"});
  check_record(slow);
  check_all_classified(slow);
  const auto set =
      record_with({"--unit", kUnit + ",latency_ns=20", "--set", "unit.tcam.latency_ns=4000"});
  CHECK(without_options(set) == without_options(slow));
  CHECK(without_options(record_with({"--unit", kUnit})) != without_options(slow));
}

TEST_CASE("what is wrong with a unit's key of --set is said", "[unit]") {
  const auto error_of = [](const std::string& setting) {
    const Outcome outcome =
        call_nplab(tcam("run") + Words{"--unit", kUnit, "--set", setting, "--packets", "10"});
    CHECK(outcome.status == 2);
    return outcome.err;
  };
  CHECK_THAT(error_of("unit.cam.latency_ns=20"),
             Contains("--set unit.cam.latency_ns: error: there is no unit 'cam': --unit cam="));
  CHECK_THAT(error_of("unit.tcam=20"), Contains("is written unit.NAME.KEY=VALUE"));
}

TEST_CASE("a run's key depends on the unit's parameters", "[unit]") {
  const auto key = [](const Words& words) {
    const Outcome outcome = call_nplab(tcam("run") + Words{"--key"} + words);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  const std::string usual = key({"--unit", kUnit});
  CHECK(key({"--unit", kUnit}) == usual);
  CHECK(key({"--unit", kUnit + ",latency_ns=20"}) != usual);
  CHECK(key({"--unit", kUnit, "--set", "unit.tcam.latency_ns=20"}) != usual);
}

TEST_CASE("check needs no unit, and refuses what lies in a device's range by accident", "[unit]") {
  CHECK(call_nplab(tcam("check")).status == 0);
  CHECK(call_nplab(tcam("check") + Words{"--unit", kUnit}).status == 0);
  const Outcome accident =
      call_nplab(tcam("check") +
                 Words{"--set", "chip.sram.device0={name: tcam, base: 0x700000, bytes: 0x100}"});
  CHECK(accident.status == 2);
  CHECK_THAT(accident.err, Contains("the range of the device 'tcam', 0x700000 to 0x700100"));
}

TEST_CASE("a unit for which the chip has no device is named by every command", "[unit]") {
  for (const char* command : {"check", "run", "soak"}) {
    INFO(command);
    const Outcome unknown =
        call_nplab(tcam(command) + Words{"--unit", kUnit, "--unit", "c" + kUnit});
    CHECK(unknown.status == 2);
    CHECK_THAT(unknown.err, Contains("--unit ctcam: error: no device of this name is in the "
                                     "chip's file; it has 'tcam'"));
  }
}

TEST_CASE("a mapping that needs a device is refused on a chip without one, by every command",
          "[unit]") {
  for (const char* command : {"run", "check", "show", "predict"}) {
    INFO(command);
    const Outcome outcome = call_nplab({command, example("tcam.yaml")});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("table 'tcam' needs a device on the SRAM bus, and the chip "
                                     "ixp1200 has none at 0x700000"));
  }
}

TEST_CASE("a packet is traced through a unit, and each command wants the unit", "[unit]") {
  const Words words{"--packets", "60"};
  const auto trace = [&](const Words& more) {
    return call_nplab(Words{"trace", "packet", "40", example("tcam.yaml"), "--chip",
                            example("ixp1200-tcam.yaml")} +
                      words + more);
  };
  const auto cycles_of = [&](const std::string& latency) {
    const Outcome outcome = trace({"--unit", kUnit + ",latency_ns=" + latency});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  CHECK_THAT(cycles_of("20"), Contains("sram"));
  CHECK(cycles_of("20") != cycles_of("20000"));
  for (const Outcome& outcome :
       {trace({}), call_nplab(tcam("run") + words), call_nplab(tcam("soak") + words)}) {
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("no unit is given for it: --unit tcam=FILE.so"));
  }
}

TEST_CASE("a unit takes part in a long run under load", "[unit]") {
  const Outcome outcome = call_nplab(
      tcam("soak") + Words{"--unit", kUnit, "--packets", "30000", "--window", "1000", "--quiet"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("predict says that its model has no units", "[unit]") {
  const Outcome outcome = call_nplab(tcam("predict"));
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("the model does not include the device 'tcam' on the SRAM bus "
                                   "of chip 'ixp1200-tcam'; simulate it with `nplab run --unit"));
}

TEST_CASE("a study varies a unit's parameter, with chip and mapping beside it", "[unit][study]") {
  const ScratchFolder folder;
  const Words study{"study", example("latency.yaml"), "--quick"};
  const Outcome outcome = call_nplab(study + Words{"--unit", kUnit, "--json", "-"}, folder.path());
  INFO(outcome.err);
  REQUIRE((outcome.status == 0 || outcome.status == 1));
  const auto results = nlohmann::json::parse(outcome.out);
  const auto& points = results.at("series").at(0).at("points");
  REQUIRE(points.size() == 2);
  CHECK(points[0].at("packets_per_s").get<double>() >
        2 * points[1].at("packets_per_s").get<double>());
  const Outcome without = call_nplab(study + Words{"--quiet"}, folder.path());
  CHECK(without.status == 2);
  CHECK_THAT(without.err, Contains("there is no unit 'tcam': --unit tcam=FILE.so"));
}
