// Chip files with DDR4: the shipped ones, what a file may leave out, and what is refused.
#include <catch2/catch.hpp>

#include <tuple>

#include "simulator/parameters/ddr4_description.h"
#include "support/input_file.h"
#include "tests/chip_text.h"
#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using namespace simulator;

// The reference chip with `keys` of its SDRAM as options of the command line.
std::string errors_with(const std::vector<std::pair<std::string, std::string>>& keys) {
  Diagnostics diagnostics;
  auto root = chip_text("ixp1200", diagnostics);
  REQUIRE(root);
  for (const auto& [key, value] : keys)
    REQUIRE(
        root->set("sdram." + key, value, without_lines("--set chip.sdram." + key), diagnostics));
  const auto chip = read_chip(*root, diagnostics);
  CHECK(chip.has_value() == !diagnostics.has_errors());
  return diagnostics.to_string();
}

std::string errors_of_ddr4(std::vector<std::pair<std::string, std::string>> keys) {
  keys.insert(keys.begin(), {"model", "ddr4"});
  return errors_with(keys);
}

}  // namespace

TEST_CASE("the shipped chips with DDR4 have the part of the published points") {
  for (const auto& [name, channels] : {std::pair{"ixp1200-ddr4", 1u}, {"grid-ddr4", 2u}}) {
    INFO(name);
    const ChipDescription chip = shipped_chip(name);
    CHECK(chip.sdram.model == SdramModel::kDdr4);
    const dram::DramDescription memory = dram_description(chip.sdram);
    CHECK(memory.organization.channels == channels);
    CHECK(memory.organization.rows == 65'536);
    CHECK(memory.organization.columns == 128);
    CHECK(memory.timing.t_rfc == 467);
    CHECK(memory.controller.window == 32);
  }
  CHECK(shipped_chip("ixp1200").sdram.model == SdramModel::kIxp1200);
}

TEST_CASE("a DDR4 memory may leave everything out but its model, which drops the other's keys") {
  CHECK(errors_of_ddr4({}) == "");
}

TEST_CASE("rows by density and width fill the devices") {
  for (const auto& [density, width, groups, rows] :
       {std::tuple(dram::Density::k8Gb, dram::Width::kX8, 4u, 65'536u),
        {dram::Density::k4Gb, dram::Width::kX8, 4u, 32'768u},
        {dram::Density::k16Gb, dram::Width::kX4, 4u, 262'144u},
        {dram::Density::k8Gb, dram::Width::kX16, 2u, 65'536u}}) {
    SdramDescription sdram;
    sdram.density = density;
    sdram.width = width;
    sdram.bank_groups = groups;
    CHECK(dram_description(sdram).organization.rows == rows);
  }
}

TEST_CASE("a row of the timing that a file gives replaces the speed's") {
  SdramDescription sdram;
  sdram.timing.emplace().t_rcd = 25;
  const dram::Ddr4Timing timing = dram_description(sdram).timing;
  CHECK(timing.t_rcd == 25);
  CHECK(timing.t_rp == 19);
}

TEST_CASE("DDR4 memories that cannot be are refused at the key") {
  using Keys = std::vector<std::pair<std::string, std::string>>;
  for (const auto& [keys, part] : std::vector<std::pair<Keys, std::string>>{
           {{{"timing", "{t_rc: 61}"}},
            "--set chip.sdram.timing: error: t_rc: 61 is less than t_ras + t_rp, 62"},
           {{{"timing", "{t_ras: 50}"}}, "t_rc: 62 is less than t_ras + t_rp, 69"},
           {{{"timing", "{t_ras: 18, t_rc: 70}"}}, "t_ras: 18 is less than t_rcd, 19"},
           {{{"timing", "{t_rrd_l: 3}"}}, "t_rrd_l: 3 is less than t_rrd_s, 4"},
           {{{"timing", "{t_ccd_s: 3}"}}, "t_ccd_s: 3 is less than a burst, 4"},
           {{{"timing", "{t_wtr_l: 2}"}}, "t_wtr_l: 2 is less than t_wtr_s, 4"},
           {{{"timing", "{t_refi: 500}"}}, "t_refi: 500 leaves no time between refreshes"},
           {{{"timing", "{t_refii: 61}"}}, "did you mean 't_refi'?"},
           {{{"channels", "3"}},
            "--set chip.sdram.channels: error: channels: 3 is not a power of two"},
           {{{"ranks", "6"}}, "ranks: 6 is not a power of two"},
           {{{"bank_groups", "3"}}, "bank_groups: 3 is not a power of two"},
           {{{"banks", "5"}}, "banks: 5 is not a power of two"},
           {{{"ranks", "8"}, {"banks", "8"}}, "a channel has 64 at most"},
           {{{"write_high", "17"}}, "write_high: 17 must be at most write_queue, 16"},
           {{{"write_idle", "10"}, {"write_high", "9"}},
            "write_idle: 10 must be at most write_high, 9"},
           {{{"write_low", "8"}}, "write_low: 8 must be less than write_idle, 8"},
           {{{"window", "65"}}, "window: 65 is out of range: 1 to 64"},
           {{{"window", "0"}}, "window: 0 is out of range: 1 to 64"},
           {{{"speed", "ddr4-2600"}}, "speed: unknown speed 'ddr4-2600'; did you mean 'ddr4-2"},
           {{{"scheduler", "fcfs"}}, "scheduler: unknown scheduler 'fcfs'"},
           {{{"adress_mapping", "x"}}, "did you mean 'address_mapping'?"},
           {{{"t_rcd", "4"}},
            "--set chip.sdram.t_rcd: error: 't_rcd' is a key of 'model: ixp1200', and this is "
            "'model: ddr4'"}}) {
    const std::string errors = errors_of_ddr4(keys);
    INFO(errors << "\nlacks: " << part);
    CHECK(errors.find(part) != std::string::npos);
  }
}

TEST_CASE("keys of DDR4 are refused in another memory, and unknown models are") {
  const std::string foreign = errors_with({{"window", "8"}});
  INFO(foreign);
  CHECK(foreign.find("'window' is a key of 'model: ddr4', and this is 'model: ixp1200'") !=
        std::string::npos);
  const std::string unknown = errors_with({{"model", "ddr5"}});
  INFO(unknown);
  CHECK(unknown.find("model: unknown model 'ddr5'; did you mean 'ddr4'?") != std::string::npos);
  CHECK(unknown.find("missing") == std::string::npos);
}

}  // namespace nplab::test
