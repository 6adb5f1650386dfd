// How the chip is simulated changes nothing but `mode` and the host's times.
#include <catch2/catch.hpp>

#include "tests/tools/command.h"

namespace nplab::tools::testing {
namespace {

nlohmann::json record_in(const std::string& mode, const Words& words) {
  auto record = record_of(words + Words{"--mode", mode});
  INFO("the record says how the chip was simulated");
  CHECK(record.at("mode") == mode);
  record.erase("mode");
  record.erase("host");
  return record;
}

void compare_modes(const Words& words) {
  const auto lockstep = record_in("lockstep", words);
  const auto windows = record_in("windows", words);
  INFO("the parts of the record that differ: " << nlohmann::json::diff(lockstep, windows).dump());
  CHECK(lockstep.dump() == windows.dump());
}

// On the published experiment a run takes 300 to 650 cycles a packet.
constexpr std::uint64_t kLongRun = 10'000'000;
constexpr const char* kPacketsOfLongRun = "40000";

}  // namespace

TEST_CASE("lockstep and windows give the same record, byte for byte", "[mode]") {
  const std::string mapping = GENERATE("ls", "bv1", "bv2");
  INFO(mapping);
  compare_modes({mapping, "--packets", "300"});
}

TEST_CASE("... when packets are drained, too", "[mode]") {
  const std::string mapping = GENERATE("ls", "bv1", "bv2");
  INFO(mapping);
  compare_modes({mapping, "--packets", "100", "--drain"});
  compare_modes({mapping, "--packets", "100", "--arrival", "lossless"});
}

TEST_CASE("lockstep and windows give the same record over 10 million cycles", "[mode][full]") {
  const std::string mapping = GENERATE("ls", "bv1", "bv2");
  INFO(mapping);
  const Words words{mapping, "--packets", kPacketsOfLongRun};
  const auto lockstep = record_in("lockstep", words);
  CHECK(lockstep.at("cycles").at("core").get<std::uint64_t>() >= kLongRun);
  CHECK(record_in("windows", words) == lockstep);
}

TEST_CASE("a mode that there is not is refused", "[mode]") {
  const Outcome outcome = call_nplab({"run", "ls", "--mode", "fast"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Catch::Contains("--mode") && Catch::Contains("lockstep"));
}

}  // namespace nplab::tools::testing
