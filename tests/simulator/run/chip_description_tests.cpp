// Chip files: strict, all errors at once.
#include <catch2/catch.hpp>

#include "support/input_file.h"
#include "support/parameters/description.h"
#include "tests/paths.h"
#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using namespace simulator;

std::string errors_with(const std::vector<std::pair<std::string, std::string>>& settings) {
  Diagnostics diagnostics;
  const auto file = read_input_file(source_path("simulator/chips/ixp1200.yaml"), diagnostics);
  auto root = yaml::parse(file->bytes, "ixp1200.yaml", diagnostics);
  for (const auto& [key, text] : settings)
    REQUIRE(root->set(key, text, without_lines("--set chip." + key), diagnostics));
  const auto chip = read_chip(*root, diagnostics);
  CHECK(chip.has_value() == !diagnostics.has_errors());
  return diagnostics.to_string();
}

}  // namespace

TEST_CASE("the shipped chips are read as they stand") {
  const ChipDescription ixp1200 = chip_description("ixp1200");
  CHECK(ixp1200.name == "ixp1200");
  CHECK(ixp1200.engine.engines == 6);
  CHECK(ixp1200.engine.control_store_words == 1024);
  CHECK(ixp1200.sdram.bytes == 256u << 20);
  CHECK(ixp1200.clock.core_hz == 165'890'000);
  CHECK(ixp1200.media.ports == 8);
  CHECK(ix_bus_cycles(ixp1200.clock, 2500) == 1000);
  const ChipDescription test = chip_description("test");
  CHECK(test.engine.control_store_words == 65536);
}

TEST_CASE("one key of a chip can be set") {
  CHECK(chip_description("ixp1200", {"engine.control_store_words=2K"}).engine.control_store_words ==
        2048);
}

TEST_CASE(
    "unknown keys, wrong types and values out of range are reported at their place, all at once") {
  const std::string errors = errors_with({{"sram.turn_arround", "2"},
                                          {"engine.engines", "65"},
                                          {"engine.pipeline.prefetched_kill", "perhaps"},
                                          {"sdram.bus_cycles", "fast"},
                                          {"command_bus.latency", "-1"}});
  for (const char* part : {"error: engines: 65 is out of range: 1 to 64", "turn_arround",
                           "did you mean 'turn_around'?", "chip.engine.pipeline.prefetched_kill",
                           "chip.sdram.bus_cycles", "latency: -1 is out of range"}) {
    INFO(errors << "\nlacks: " << part);
    CHECK(errors.find(part) != std::string::npos);
  }
}

TEST_CASE("an unknown arbitration policy is reported with the nearest one and all that there are") {
  const std::string errors =
      errors_with({{"sram.arbitration", "round_robbin"}, {"engine.arbitration", "fair"}});
  for (const char* part :
       {"arbitration: unknown policy 'round_robbin'; did you mean 'round_robin'? known: ixp1200, "
        "round_robin, oldest_first",
        "arbitration: unknown policy 'fair'; known: ixp1200, round_robin, oldest_first"}) {
    INFO(errors << "\nlacks: " << part);
    CHECK(errors.find(part) != std::string::npos);
  }
}

TEST_CASE("a section that a chip may leave out is as strict as the others") {
  const std::string errors = errors_with({{"latency_spread", "{max_delay: 0, sed: 1}"}});
  CHECK(errors.find("max_delay: 0 is out of range: 1 to 10000") != std::string::npos);
  CHECK(errors.find("did you mean 'seed'?") != std::string::npos);
}

TEST_CASE("old names of keys are read with a warning, and change the chip as the new ones do") {
  Diagnostics diagnostics;
  const auto file = read_input_file(source_path("simulator/chips/ixp1200.yaml"), diagnostics);
  auto root = yaml::parse(file->bytes, "ixp1200.yaml", diagnostics);
  REQUIRE(root->set("engine.pipeline.condition_aborts_behind_setter", "5", without_lines("--set"),
                    diagnostics));
  REQUIRE(root->set("latency_spread", "{most: 7, seed: 1}", without_lines("--set spread"),
                    diagnostics));
  const auto chip = read_chip(*root, diagnostics);
  REQUIRE(chip);
  CHECK(chip->engine.pipeline.condition_aborts_after_setter == 5);
  CHECK(chip->latency_spread->max_delay == 7);
  CHECK(diagnostics.to_string() ==
        "--set: warning: 'condition_aborts_behind_setter' is deprecated; its name is now "
        "'condition_aborts_after_setter'\n"
        "--set spread: warning: 'most' is deprecated; its name is now 'max_delay'\n");
}

TEST_CASE("an override cannot make a chip extend another") {
  CHECK(errors_with({{"extends", "test"}}) ==
        "--set chip.extends: error: only a chip's file may extend another chip\n");
}

TEST_CASE("every parameter of a chip says what it means, and every figure has a unit or a range") {
  for (const parameters::KeyPath& path : parameters::all_keys(chip_keys())) {
    INFO(path.path);
    CHECK(path.key->sentence.ends_with('.'));
    const bool is_figure = std::holds_alternative<parameters::Integer>(path.key->value.type);
    CHECK((!is_figure || !path.key->source.empty()));
  }
}

TEST_CASE("a missing key is reported with the line of its section") {
  Diagnostics diagnostics;
  const auto root = yaml::parse("name: empty\nclock: {}\n", "empty.yaml", diagnostics);
  CHECK_FALSE(read_chip(*root, diagnostics));
  const std::string errors = diagnostics.to_string();
  CHECK(errors.find("empty.yaml:2") != std::string::npos);
  CHECK(errors.find("core_hz") != std::string::npos);
  CHECK(errors.find("engine") != std::string::npos);
}

TEST_CASE("values that do not go together are refused") {
  CHECK(errors_with({{"sdram.bytes", "12"}}).find("multiple of 8") != std::string::npos);
  CHECK(errors_with({{"fbi.receive_request_margin", "8"}}).find("leaves no room") !=
        std::string::npos);
  CHECK(errors_with({{"sram.bus_bytes", "12"}}).find("bus_bytes: 12 is not a power of two") !=
        std::string::npos);
  CHECK(errors_with({{"sdram.t_rc", "11"}}).find("t_rc: 11 is less than t_ras + t_rp, 12") !=
        std::string::npos);
  CHECK(errors_with({{"sdram.t_ras", "3"}}).find("t_ras: 3 is less than t_rcd, 4") !=
        std::string::npos);
  CHECK(errors_with({{"sdram.refresh_period", "24"}}).find("more than t_rc + refresh_cycles, 24") !=
        std::string::npos);
  CHECK(errors_with({{"sdram.bank_select_bit", "28"}}).find("beyond the memory") !=
        std::string::npos);
}

TEST_CASE("ranges of devices that overlap, leave the memory or pass caches are reported") {
  const std::string errors =
      errors_with({{"sram.device0", "{name: cam, base: 0x1000, bytes: 0x100}"},
                   {"sram.device1", "{name: cam, base: 0x10fc, bytes: 4}"},
                   {"sram.device2", "{name: odd, base: 0x2002, bytes: 6}"},
                   {"sram.device3", "{name: far, base: 0x7ffffc, bytes: 8}"}});
  for (const char* part :
       {"name: 'cam' is the name of device0, too",
        "base: the range 0x10fc to 0x1100 overlaps that of device0, 0x1000 to 0x1100",
        "base: 0x2002 is not a multiple of 4", "bytes: 6 is not a multiple of 4",
        "base: the range 0x7ffffc to 0x800004 ends outside the SRAM of 8388608 bytes"}) {
    INFO(errors << "\nlacks: " << part);
    CHECK(errors.find(part) != std::string::npos);
  }
  CHECK(errors_with({{"sram.device0", "{name: cam, base: 0x1000, bytes: 0x100}"},
                     {"sram.device1", "{name: other, base: 0x1100, bytes: 4}"}})
            .empty());
}

}  // namespace nplab::test
