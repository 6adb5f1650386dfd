// How the chip is simulated changes nothing but `mode` and the host's times.
#include <catch2/catch.hpp>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

namespace nplab::tools::testing {
namespace {

nlohmann::json record_in(const std::string& mode, const Words& words) {
  auto record = record_of(words + Words{"--mode", mode});
  INFO("the record says how the chip was simulated");
  CHECK(record.at("mode") == mode);
  record.erase("mode");
  CHECK(record.at("window_cycles") == (mode == "lockstep" ? 1 : 32));
  record.erase("window_cycles");
  record.erase("host");
  return record;
}

void compare_modes(const Words& words) {
  const auto lockstep = record_in("lockstep", words);
  const auto windows = record_in("windows", words);
  INFO("the parts of the record that differ: " << nlohmann::json::diff(lockstep, windows).dump());
  CHECK(lockstep.dump() == windows.dump());
}

// What a program that every thread of every engine runs leaves; it may end by a fault or not at
// all.
std::string outcome_in(const std::string& mode, const std::string& program) {
  const Outcome outcome = call_nplab({"exec", program, "--engines", "6", "--threads", "4",
                                      "--cycles", "10000000", "--json", "--mode", mode});
  REQUIRE(!outcome.out.empty());
  return outcome.out + outcome.err;
}

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

TEST_CASE(
    "lockstep and windows give the same record of every listed mapping over 10 million cycles",
    "[mode][full]") {
  constexpr std::uint64_t kLongRun = 10'000'000;
  for (const std::string& mapping : listed_mappings()) {
    INFO(mapping);
    // A packet takes 150 to 650 cycles, fewer behind the first ones.
    std::uint64_t packets = 10'000, cycles = 0;
    Words words;
    nlohmann::json windows;
    while (cycles < kLongRun) {
      if (cycles != 0)
        packets = packets * kLongRun / cycles * 11 / 10;
      words = {mapping, "--packets", std::to_string(packets)};
      windows = record_in("windows", words);
      cycles = windows.at("cycles").at("core");
    }
    CHECK(record_in("lockstep", words) == windows);
  }
}

TEST_CASE("lockstep and windows leave the same state after the programs of labs and compiler tests",
          "[mode]") {
  unsigned programs = 0;
  for (const std::string& folder :
       {nplab::source_path("docs/labs"), nplab::source_path("tests/compiler/programs")}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".c")
        continue;
      INFO(entry.path());
      CHECK(outcome_in("lockstep", entry.path()) == outcome_in("windows", entry.path()));
      ++programs;
    }
  }
  CHECK(programs > 20);
}

TEST_CASE("a mode that there is not is refused", "[mode]") {
  const Outcome outcome = call_nplab({"run", "ls", "--mode", "fast"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Catch::Contains("--mode") && Catch::Contains("lockstep"));
}

TEST_CASE("bench measures both modes in the same call and finds the same state", "[mode]") {
  const Outcome outcome = call_nplab({"bench", "bv1", "--packets", "200", "--no-callgrind"});
  REQUIRE(outcome.status == 0);
  const auto bench = nlohmann::json::parse(outcome.out);
  CHECK(bench.at("schema") == "nplab.bench/1");
  CHECK(bench.at("start_up_s").get<double>() > 0);
  REQUIRE(bench.at("runs").size() == 1);
  const auto& run = bench.at("runs")[0];
  CHECK(run.at("same_state") == true);
  CHECK(run.at("core_cycles").get<std::uint64_t>() > 200);
  for (const char* mode : {"windows", "lockstep"}) {
    CHECK(run.at(mode).at("core_cycles_per_s").get<double>() > 0);
    CHECK(run.at(mode).at("instructions_per_s").get<double>() > 0);
    CHECK(run.at(mode).at("peak_memory_mb").get<double>() > 1);
    CHECK(run.at(mode).at("host_instructions_per_core_cycle").is_null());
  }
}

TEST_CASE("with a quarter of its engines busy a chip is simulated in less than half the work",
          "[mode][full]") {
  const Outcome outcome = call_nplab({"bench", "activity"});
  if (outcome.status == 2) {
    CHECK_THAT(outcome.err, Catch::Contains("valgrind"));
    WARN("valgrind is not installed: host instructions are not counted");
    return;
  }
  REQUIRE(outcome.status == 0);
  CHECK(nlohmann::json::parse(outcome.out).at("ratio").get<double>() > 2);
}

}  // namespace nplab::tools::testing
