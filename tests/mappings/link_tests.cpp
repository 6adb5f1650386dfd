// What linking says about a mapping, without a rule set.
#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;
using Catch::Contains;

namespace {

std::string link_errors(const std::string& text) {
  const auto path =
      std::filesystem::temp_directory_path() / ("nplab-link-" + std::to_string(getpid()) + ".yaml");
  std::ofstream(path) << text;
  Diagnostics diagnostics;
  const auto manifest = read_manifest(mappings_folder() + "/bit-vector/manifest.yaml", diagnostics);
  const auto mapping = read_mapping_file(path.string(), {}, diagnostics);
  std::filesystem::remove(path);
  REQUIRE(manifest);
  REQUIRE(mapping);
  check_without_rules(*link(*mapping, *manifest, ixp1200_facts(), diagnostics), diagnostics);
  return diagnostics.to_string();
}

}  // namespace

TEST_CASE("the shipped mappings of the bit vector link without rules", "[link]") {
  CHECK(link_errors(edited("bv1", "bv1", "bv1")).empty());
  CHECK(link_errors(edited("bv2", "bv2", "bv2")).empty());
}

TEST_CASE("wiring, threads, parameters, tables, pins and queues are checked without rules",
          "[link]") {
  const auto error = [](const char* from, const char* to) {
    return link_errors(edited("bv1", from, to));
  };
  CHECK_THAT(error("to: transmit", "to: transmitt"),
             Contains("queue 'classified' has no consumer"));
  CHECK_THAT(error("engines: [5]", "engines: [4]"), Contains("engine 4 is used twice"));
  CHECK_THAT(error("stride: 1", "stride: 9"), Contains("parameter 'stride' is 9"));
  CHECK_THAT(error("actions: sram", "action: sram"), Contains("no table 'action'"));
  CHECK_THAT(error("no_match: drop", "memory: {sram: {classfied: 8}}"),
             Contains("nothing called 'classfied' lies in sram; did you mean 'classified'?"));
  CHECK_THAT(error("full: wait,", "full: wait, quantum: 8, release: end_of_packet,"),
             Contains("a quantum over 1 needs release: dequeue") && Contains("leads to transmit"));
  CHECK_THAT(error("[lookup, intersect, act]", "[lookup, intersect, art]"),
             Contains("no task 'art'") && Contains("task 'act' is missing"));
}

TEST_CASE("one engine transmits, since its threads agree by its registers", "[link]") {
  const std::string tasks = "threads: 4, tasks: [lookup, intersect, act]}\n";
  CHECK_THAT(
      link_errors(edited("bv1",
                         "engines: [1, 2, 3, 4], " + tasks +
                             "  - {name: transmit, role: transmit, engines: [5], threads: 4}",
                         "engines: [1, 2, 3], " + tasks +
                             "  - {name: transmit, role: transmit, engines: [5, 4], "
                             "threads: 2}")),
      Contains("stage 'transmit' transmits on engine 4, but engine 5 transmits, too"));
}

TEST_CASE("a pin of a table is known before the table has a size", "[link]") {
  CHECK(link_errors(edited("bv1", "no_match: drop", "memory: {sdram: {pset: 0x100}}")).empty());
}

TEST_CASE("without rules a mapping is checked for as many dimensions as it names", "[link]") {
  CHECK_THAT(link_errors(edited("bv2", "lookup[1..1]", "lookup[0..0]")),
             Contains("task 'lookup[0]' is used twice") &&
                 Contains("dimension 1 of task 'lookup' is missing"));
  CHECK(link_errors(edited("bv2", "lookup[2..]", "lookup[2]")).empty());
}
