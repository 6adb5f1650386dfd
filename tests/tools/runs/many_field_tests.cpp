// Fifteen fields by decomposition, run as a user runs them.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;

namespace {

const Words kLossless = {"--arrival", "lossless", "--drain", "--quiet"};

nlohmann::json run_record(const std::string& mapping, const Words& options) {
  const ScratchFolder folder;
  const std::string file = folder.file("r.json");
  const Outcome outcome = call_nplab(Words{"run", mapping, "--json", file} + options + kLossless);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return read_json(file);
}

const Words kGenerated = {
    "--rules", "gen:openflow,count=300", "--traffic", "gen:hit=0.9,count=150", "--packets", "150"};

}  // namespace

TEST_CASE("fifteen fields of 356 bits are classified, data parallel and pipelined",
          "[many_field]") {
  const std::string mapping = GENERATE("many-field-data", "many-field-pipe");
  INFO(mapping);
  const auto record = run_record(mapping, kGenerated);
  check_record(record);
  check_all_classified(record);
  CHECK(record.at("packets").at("no_match").get<int>() > 0);
  CHECK(record.at("built").at("searches") == 15);
  CHECK(record.at("built").at("hash_searches") == 11);
}

TEST_CASE("the publication's superfields leave nine searches, three of them by hash",
          "[many_field]") {
  const auto record =
      run_record("many-field-data", kGenerated + Words{"--set", "parameters.superfield_1=4240",
                                                       "--set", "parameters.superfield_2=2401"});
  check_record(record);
  check_all_classified(record);
  CHECK(record.at("built").at("searches") == 9);
  CHECK(record.at("built").at("hash_searches") == 3);
}

TEST_CASE("traces of fifteen hexadecimal fields are classified as they expect", "[many_field]") {
  for (const std::string name : {"qu15_64", "qu15_1024"}) {
    const std::string rules = shared_file("openflow/" + name + ".rules.xz");
    const std::string trace = shared_file("openflow/" + name + ".trace.xz");
    if (rules.empty() || trace.empty())
      return;
    const auto record =
        run_record("many-field-data", {"--rules", rules, "--traffic", trace, "--packets", "200"});
    check_record(record);
    check_all_classified(record);
  }
}

TEST_CASE("algorithms of five fields say so of fifteen, and wide fields are named",
          "[many_field]") {
  const Outcome outcome = call_nplab({"check", "hicuts-data", "--rules", "gen:openflow,count=20"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err.find("the rules have 15 dimensions; hicuts takes 1 to 5") != std::string::npos);
  CHECK(outcome.err.find("field 'metadata' has 64 bits; hicuts takes up to 32") !=
        std::string::npos);
}

TEST_CASE("vectors that do not fit the chip's SDRAM are refused with their arithmetic",
          "[many_field]") {
  const Outcome outcome = call_nplab({"check", "many-field-data", "--rules",
                                      "gen:openflow,count=4000", "--set", "chip.sdram.bytes=3M"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err.find("different vectors x 512 bytes (4000 rules)") != std::string::npos);
}

TEST_CASE("sizes of memories may end in G", "[many_field]") {
  const Outcome outcome =
      call_nplab({"check", "many-field-data", "--rules", "gen:openflow,count=20", "--chip", "grid",
                  "--set", "chip.sdram.bytes=1G"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("traffic of fifteen fields is written as a trace of keys and read again",
          "[many_field]") {
  const ScratchFolder folder;
  const Outcome rules = call_nplab(
      {"rules", "gen:openflow,count=50", "--to", "yaml", "--out", folder.file("a.yaml")});
  INFO(rules.err);
  REQUIRE(rules.status == 0);
  const Outcome trace = call_nplab({"traffic", "--generate", folder.file("a.yaml"), "--count", "40",
                                    "--hit", "0.5", "--out", folder.file("a.trace")});
  INFO(trace.err);
  REQUIRE(trace.status == 0);
  const auto record = run_record("many-field-data", {"--rules", folder.file("a.yaml"), "--traffic",
                                                     folder.file("a.trace"), "--packets", "40"});
  check_record(record);
  check_all_classified(record);
  CHECK(record.at("packets").at("no_match").get<int>() > 0);
}
