#include <catch2/catch.hpp>

#include "experiments/nplab.h"
#include "experiments/prepare/program_identity.h"

using namespace nplab;

namespace {

experiments::ExperimentOptions packets(std::uint64_t count) {
  experiments::ExperimentOptions options;
  options.packets = count;
  return options;
}

}  // namespace

TEST_CASE("a program runs a mapping by name twice and gets the same record") {
  Diagnostics diagnostics;
  const auto first = run_mapping("ls", packets(100), diagnostics);
  const auto second = run_mapping("ls", packets(100), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(first);
  REQUIRE(second);
  CHECK_FALSE(first->failure);
  CHECK(first->packets.received == 100);
  CHECK(first->packets.misclassified == 0);
  CHECK(first->rates_mbps.receive > 0);
  CHECK(first->state_hash == second->state_hash);
}

TEST_CASE("a mapping that is not there is a diagnostic, not a record") {
  Diagnostics diagnostics;
  CHECK_FALSE(run_mapping("no-such-mapping", packets(1), diagnostics));
  CHECK(diagnostics.to_string().find("no-such-mapping: error: ") == 0);
}

TEST_CASE("the record names the program that made it by the hash of its content") {
  Diagnostics diagnostics;
  const auto record = run_mapping("ls", packets(1), diagnostics);
  REQUIRE(record);
  const auto& program = experiments::program_identity();
  CHECK(record->tool.version == program.version);
  CHECK(record->tool.commit == program.commit);
  CHECK(record->tool.build_id == program.build_id);
  CHECK(program.build_id.size() == 40);
  CHECK(program.build_id.find_first_not_of("0123456789abcdef") == std::string::npos);
}
