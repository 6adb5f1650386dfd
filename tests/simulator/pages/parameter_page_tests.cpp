// Follows docs/extending/adding-a-parameter.md: the chip's description that this program is
// compiled with has the page's entry, and no line of C++ says more of the parameter.
#include <catch2/catch.hpp>
#include <fstream>
#include <regex>

#include "simulator/parameters/chip_description.h"
#include "support/parameters/description.h"
#include "tests/chip_text.h"

namespace {

using namespace nplab;

// The reference chip with the page's value.
yaml::Node chip_of_the_page(Diagnostics& diagnostics) {
  std::ifstream stream(source_path("docs/extending/adding-a-parameter.md"));
  const std::string page(std::istreambuf_iterator<char>(stream), {});
  static const std::regex kBlock("```yaml\n([^`]*)```");
  std::smatch block;
  REQUIRE(std::regex_search(page, block, kBlock));
  auto chip = test::chip_text("ixp1200", diagnostics);
  const auto value = yaml::parse(block.str(1), "page", diagnostics);
  REQUIRE(chip);
  REQUIRE(value);
  chip->overlay(*value);
  return *chip;
}

}  // namespace

TEST_CASE("the parameter that the page adds is read from the chip's file") {
  Diagnostics diagnostics;
  yaml::Node root = chip_of_the_page(diagnostics);
  CHECK(simulator::read_chip(root, diagnostics).value().sram.burst_pause == 0);
  REQUIRE(root.set("sram.burst_pause", "4", without_lines("--set"), diagnostics));
  CHECK(simulator::read_chip(root, diagnostics).value().sram.burst_pause == 4);
  CHECK_FALSE(diagnostics.has_errors());
}

TEST_CASE("a chip without the parameter that the page adds, or with too large a one, is refused") {
  Diagnostics without;
  CHECK_FALSE(simulator::read_chip(test::chip_text("ixp1200", without).value(), without));
  CHECK_THAT(without.to_string(), Catch::Contains("the key 'burst_pause' is missing here"));
  Diagnostics beyond;
  yaml::Node root = chip_of_the_page(beyond);
  REQUIRE(root.set("sram.burst_pause", "10001", without_lines("--set"), beyond));
  CHECK_FALSE(simulator::read_chip(root, beyond));
  CHECK_THAT(beyond.to_string(), Catch::Contains("burst_pause: 10001 is out of range: 0 to 10000"));
}

TEST_CASE("the parameter that the page adds carries its unit and its source") {
  const parameters::KeyMap* sram = parameters::find_keys(simulator::chip_keys(), "sram");
  REQUIRE(sram != nullptr);
  const parameters::Key* key = sram->find("burst_pause");
  REQUIRE(key != nullptr);
  CHECK(key->unit == "cycles");
  CHECK(key->source == "[C]");
  CHECK(key->sentence == "Between two bursts.");
}
