// Runs on chips with DDR4: what the record and the report say, and what files may say.
#include <catch2/catch.hpp>

#include <sstream>

#include "simulator/dram/command_trace.h"
#include "simulator/dram/trace_checker.h"
#include "tests/tools/support/command.h"

namespace simulator = nplab::simulator;
using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

Outcome run_on(const ScratchFolder& folder, const std::string& chip,
               std::vector<std::string> options = {}) {
  std::vector<std::string> words{"run", "bv1",     "--packets", "200",   "--chip",
                                 chip,  "--quiet", "--json",    "r.json"};
  words.insert(words.end(), options.begin(), options.end());
  return call_nplab(words, folder.path());
}

nlohmann::json record_on(const ScratchFolder& folder, const std::string& chip,
                         const std::vector<std::string>& options = {}) {
  const Outcome outcome = run_on(folder, chip, options);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return read_json(folder.file("r.json"));
}

}  // namespace

TEST_CASE("a run over DDR4 counts bursts by channel, and says the ratio of the clocks", "[ddr4]") {
  const ScratchFolder folder;
  (void)folder.write("chip.yaml",
                     "extends: ixp1200\nname: two\nsdram: {model: ddr4, channels: 2}\n");
  const auto record = record_on(folder, "chip.yaml");
  const auto& dram = record.at("dram");
  CHECK(dram.at("speed") == "ddr4-2666");
  // 20/15 GHz to 165.89 MHz.
  CHECK(dram.at("memory_clocks") == 400'000);
  CHECK(dram.at("core_cycles") == 49'767);
  REQUIRE(dram.at("channels").size() == 2);
  for (const auto& channel : dram.at("channels")) {
    CHECK(channel.at("reads").get<std::uint64_t>() > 0);
    CHECK(channel.at("commands").at("REF").get<std::uint64_t>() > 0);
    CHECK(channel.at("bus_pct").get<double>() > 0);
  }
  // Frames of 64 bytes fill the first burst of buffers of 2 KiB: channel 0's.
  CHECK(dram.at("channels").at(0).at("writes").get<std::uint64_t>() > 0);
}

TEST_CASE("a chip without DDR4 has a record without it", "[ddr4]") {
  const ScratchFolder folder;
  CHECK_FALSE(record_on(folder, "ixp1200").contains("dram"));
}

TEST_CASE("a chip with DDR4 gives the same figures in lockstep and in windows", "[ddr4]") {
  const ScratchFolder folder;
  const auto windows = record_on(folder, "ixp1200-ddr4");
  const auto lockstep = record_on(folder, "ixp1200-ddr4", {"--mode", "lockstep"});
  for (const char* part : {"state_hash", "cycles", "dram", "memory", "engines", "packets"}) {
    INFO(part);
    CHECK((windows.at(part) == lockstep.at(part)));
  }
}

TEST_CASE("the report has a table of the DRAM, and a record with a wrong sum is found", "[ddr4]") {
  const ScratchFolder folder;
  auto record = record_on(folder, "ixp1200-ddr4");
  const Outcome report = call_nplab({"report", "r.json"}, folder.path());
  CHECK(report.status == 0);
  CHECK_THAT(report.out, Contains("DRAM") && Contains("ddr4-2666") && Contains("row conflicts"));
  for (const char* count : {"row_hits", "waiting_writes", "data_clocks", "from_write_queue"}) {
    INFO(count);
    auto wrong = record;
    auto& channel = wrong.at("dram").at("channels")[0];
    channel[count] = channel.at(count).get<std::uint64_t>() + 1;
    (void)folder.write("wrong.json", wrong.dump());
    const Outcome found = call_nplab({"report", "wrong.json"}, folder.path());
    CHECK_THAT(found.out + found.err, Contains("sdram, DDR4: "));
  }
}

TEST_CASE("a prediction for a chip with DDR4 is refused with the reason", "[ddr4]") {
  const ScratchFolder folder;
  const Outcome outcome = call_nplab({"predict", "bv1", "--chip", "ixp1200-ddr4"}, folder.path());
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("the model does not include DDR4"));
}

TEST_CASE("a resource that is free of cost is DDR4, too", "[ddr4]") {
  const ScratchFolder folder;
  const auto record = record_on(folder, "ixp1200-ddr4", {"--without", "sdram"});
  CHECK(record.at("memory").at("sdram").at("active_cycles") == 0);
  CHECK(record.at("dram").at("bursts_read") == 0);
}

TEST_CASE("contradictions and keys of the other model are refused at their lines", "[ddr4]") {
  const ScratchFolder folder;
  (void)folder.write("chip.yaml",
                     "extends: ixp1200\nname: odd\nsdram:\n  model: ddr4\n  t_rp: 4\n"
                     "  windw: 3\n");
  const Outcome foreign = run_on(folder, "chip.yaml");
  CHECK(foreign.status == 2);
  CHECK_THAT(foreign.err, Contains("chip.yaml:5:9: error: 't_rp' is a key of 'model: ixp1200'") &&
                              Contains("chip.yaml:6:10: error:") &&
                              Contains("did you mean 'window'?"));
  (void)folder.write("chip.yaml",
                     "extends: ixp1200\nname: odd\nsdram:\n  model: ddr4\n  channels: 3\n"
                     "  timing:\n    t_rc: 40\n");
  const Outcome wrong = run_on(folder, "chip.yaml");
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Contains("chip.yaml:5:13: error: channels: 3 is not a power of two") &&
                            Contains("chip.yaml:7:11: error: t_rc: 40 is less than"));
  (void)folder.write("chip.yaml", "extends: ixp1200-ddr4\nname: back\nsdram: {t_rcd: 4}\n");
  const Outcome inherited = run_on(folder, "chip.yaml");
  CHECK_THAT(inherited.err, Contains("'t_rcd' is a key of 'model: ixp1200'"));
}

TEST_CASE("a trace of all commands of a run obeys the memory's rules", "[ddr4]") {
  const ScratchFolder folder;
  const auto record = record_on(folder, "grid-ddr4", {"--trace", "run.dram"});
  std::istringstream lines(read_text(folder.file("run.dram")));
  std::vector<simulator::dram::IssuedCommand> commands;
  for (std::string line; std::getline(lines, line);) {
    const auto command = simulator::dram::from_line(line);
    INFO(line);
    REQUIRE(command);
    commands.push_back(*command);
  }
  std::uint64_t counted = 0;
  for (const auto& channel : record.at("dram").at("channels"))
    for (const auto& [name, count] : channel.at("commands").items())
      counted += count.get<std::uint64_t>();
  CHECK(commands.size() == counted);
  using namespace simulator::dram;
  const Ddr4Timing timing = timing_of(Speed::k2666, Density::k8Gb, Width::kX8);
  const CheckedMemory memory{{.channels = 2}, timing, constraints_of(timing)};
  CHECK(violations(memory, commands).empty());
  // The same trace breaks the rules of a memory with a longer tRCD.
  Ddr4Timing slower = timing;
  ++slower.t_rcd;
  CHECK_FALSE(violations({{.channels = 2}, slower, constraints_of(slower)}, commands).empty());
}

TEST_CASE("a trace of commands is refused on a chip without DDR4", "[ddr4]") {
  const ScratchFolder folder;
  const Outcome outcome = run_on(folder, "ixp1200", {"--trace", "run.dram"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("chip 'ixp1200' has no DDR4"));
}
