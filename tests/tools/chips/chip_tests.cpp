// Chip files as the command takes them: the listed ones, and files that extend another.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

constexpr const char* kProgram = "  scratch[read, $0, 0, 0, 1], ctx_swap\n  ctx_arb[kill]\n";

}  // namespace

TEST_CASE("every listed chip runs a program", "[chip]") {
  const ScratchFolder folder;
  const std::string program = folder.write("p.s", kProgram);
  const Outcome listed = call_nplab({"list", "--json"});
  const auto chips = nlohmann::json::parse(listed.out).at("chips");
  REQUIRE(chips.size() >= 2);
  for (const std::string chip : chips) {
    INFO(chip);
    const Outcome outcome = call_nplab({"exec", program, "--chip", chip});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
  }
}

TEST_CASE("a chip may say only what differs from a listed chip or a file beside it", "[chip]") {
  const ScratchFolder folder;
  const std::string program = folder.write("p.s", kProgram);
  const std::string base = folder.write(
      "slow.yaml", "extends: ixp1200\nname: slow\nscratch:\n  pipeline_latency: 100\n");
  const std::string chip = folder.write(
      "slower.yaml", "extends: slow.yaml\nname: slower\nscratch:\n  push_latency: 50\n");
  const auto cycles = [&](const std::string& name) {
    const Outcome outcome = call_nplab({"exec", program, "--chip", name, "--json"});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return nlohmann::json::parse(outcome.out).at("cycles").at("total").get<unsigned>();
  };
  CHECK(cycles(chip) == cycles("ixp1200") + 96 + 46);
}

TEST_CASE("errors of a chip that extends another stand where their text does", "[chip]") {
  const ScratchFolder folder;
  const std::string program = folder.write("p.s", kProgram);
  const std::string wrong =
      folder.write("wrong.yaml", "extends: ixp1200\nname: wrong\nsram:\n  locks: 0\n  lokcs: 8\n");
  Outcome outcome = call_nplab({"exec", program, "--chip", wrong});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("wrong.yaml:4:10: error: locks: 0 is out of range"));
  CHECK_THAT(outcome.err, Contains("wrong.yaml:5:") && Contains("lokcs"));
  const std::string nobody = folder.write("nobody.yaml", "extends: ixp1250\nname: nobody\n");
  outcome = call_nplab({"exec", program, "--chip", nobody});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("nobody.yaml:1:10: error:") && Contains("ixp1250"));
  const std::string self = folder.write("self.yaml", "extends: self.yaml\nname: self\n");
  outcome = call_nplab({"exec", program, "--chip", self});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("does it extend itself?"));
}
