// The main job: nplab compare ls bv1 bv2.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const Words kExperiment{"compare", "ls", "bv1", "bv2", "--packets", "1000"};

nlohmann::json without_host(nlohmann::json comparison) {
  for (auto& run : comparison.at("runs"))
    run.erase("host");
  return comparison;
}

}  // namespace

TEST_CASE("the published experiment runs and its comparison names the three mappings in order",
          "[compare]") {
  const ScratchFolder folder;
  const Outcome outcome = call_nplab(kExperiment + Words{"--json", folder.file("all.json")});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.empty());
  const auto comparison = read_json(folder.file("all.json"));
  CHECK(comparison.at("schema") == "nplab.compare/1");
  REQUIRE(comparison.at("runs").size() == 3);
  CHECK(comparison.at("runs")[0].at("inputs").at("mapping").at("name") == "ls");
  CHECK(comparison.at("runs")[1].at("inputs").at("mapping").at("name") == "bv1");
  CHECK(comparison.at("runs")[2].at("inputs").at("mapping").at("name") == "bv2");
}

TEST_CASE("a compared mapping may have keys of its own", "[compare]") {
  const ScratchFolder folder;
  const Outcome outcome = call_nplab(
      {"compare", "bv2", "bv2:stages.dimension1.threads=2:queues.found1.entries=64", "--packets",
       "500", "--json", folder.file("all.json"), "--pcap-out", folder.file("pcap")});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("bv2#2"));
  const auto runs = read_json(folder.file("all.json")).at("runs");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].at("options").dump().find("dimension1") == std::string::npos);
  CHECK(runs[1].at("options").dump().find("stages.dimension1.threads=2") != std::string::npos);
  CHECK(runs[1].at("options").dump().find("queues.found1.entries=64") != std::string::npos);
  CHECK(std::filesystem::exists(folder.file("pcap/bv2#2/port0-rx.pcap")));
  const Outcome wrong = call_nplab({"compare", "bv1", "bv2:stages.dimension9.threads=2"});
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Contains("--set stages.dimension9.threads: error: there is no"));
}

TEST_CASE("every record of the published experiment keeps the invariants", "[compare]") {
  const ScratchFolder folder;
  REQUIRE(call_nplab(kExperiment + Words{"--quiet", "--json", folder.file("all.json")}).status ==
          0);
  const auto comparison = read_json(folder.file("all.json"));
  for (const auto& run : comparison.at("runs")) {
    check_record(run);
    CHECK(run.at("packets").at("received") == 1000);
  }
}

TEST_CASE("all figures are printed on request, plain text on a pipe", "[compare]") {
  const Outcome outcome = call_nplab(kExperiment + Words{"--all"});
  REQUIRE(outcome.status == 0);
  for (const char* row :
       {"microengine cycles", "IX bus cycles", "packets received", "packets sent",
        "sent / received", "receive rate", "transmit rate", "SRAM active", "SRAM rate",
        "SDRAM active", "SDRAM rate", "scratch active", "scratch rate", "engine 5 executing",
        "engine 5 aborted", "engine 5 stalled", "engine 5 idle", "engine 5 Mips"}) {
    CHECK_THAT(outcome.out, Contains(row));
  }
  CHECK_THAT(outcome.out, !Contains("\x1b"));
}

TEST_CASE("more than three runs end in a table of a line each", "[compare]") {
  const Outcome outcome = call_nplab({"compare", "bv1", "abv-data", "hicuts-data", "tss-data",
                                      "tm-data", "--packets", "100", "--all"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const std::size_t table = outcome.out.find("\nAt a glance\n");
  REQUIRE(table != std::string::npos);
  const std::string lines = outcome.out.substr(table);
  for (const char* title : {"packets/s", "sent, Mb/s", "latency, cycles", "references",
                            "table bytes", "aborted %", "built in s"}) {
    CHECK_THAT(lines, Contains(title));
  }
  for (const char* name :
       {"\n  bv1 ", "\n  abv-data ", "\n  hicuts-data ", "\n  tss-data ", "\n  tm-data "}) {
    CHECK_THAT(lines, Contains(name));
  }
}

TEST_CASE("among more than three runs a table stands only beside runs that have it", "[compare]") {
  const Outcome outcome = call_nplab({"compare", "bv1", "hicuts-data", "tss-data", "tm-data",
                                      "abv-data", "--packets", "20", "--all"});
  REQUIRE(outcome.status == 0);
  const std::size_t first = outcome.out.find("\nOverall\n");
  const std::size_t second = outcome.out.find("\nOverall\n", first + 1);
  REQUIRE(second != std::string::npos);
  CHECK_THAT(outcome.out.substr(first, second - first),
             Contains("of table leaves") && Contains("of table tuples"));
  CHECK_THAT(outcome.out.substr(second), Contains("of table pset") && !Contains("of table leaves"));
}

TEST_CASE("a run that classified nothing does not say that every check held", "[compare]") {
  const ScratchFolder folder;
  const Outcome outcome =
      call_nplab({"run", "bv1", "--packets", "1", "--html", folder.file("run.html")});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("nothing was classified") && !Contains("every check held"));
  CHECK_THAT(read_text(folder.file("run.html")),
             Contains("nothing was classified") && !Contains("; every check held"));
}

TEST_CASE("the option --published prints the published figures of LS and BV1 beside ours",
          "[compare]") {
  const Outcome outcome = call_nplab({"compare", "ls", "bv1", "--packets", "200", "--published"});
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("published"));
  CHECK_THAT(outcome.out, Contains("ratio"));
}

TEST_CASE("two runs of the same inputs give the same records but for host", "[compare]") {
  const ScratchFolder folder;
  REQUIRE(call_nplab(kExperiment + Words{"--quiet", "--json", folder.file("one.json")}).status ==
          0);
  REQUIRE(call_nplab(kExperiment + Words{"--quiet", "--json", folder.file("two.json")}).status ==
          0);
  const auto one = without_host(read_json(folder.file("one.json"))).dump();
  const auto two = without_host(read_json(folder.file("two.json"))).dump();
  CHECK(one == two);
}

TEST_CASE("a run compared with others is the same as that run alone", "[compare]") {
  const ScratchFolder folder;
  REQUIRE(call_nplab(kExperiment + Words{"--quiet", "--json", folder.file("all.json")}).status ==
          0);
  const auto all = without_host(read_json(folder.file("all.json")));
  auto alone = record_of({"bv1", "--packets", "1000"});
  alone.erase("host");
  CHECK(all.at("runs")[1] == alone);
}

TEST_CASE("waiting threads name what they wait for", "[compare]") {
  const auto record = record_of({"ls", "--packets", "200"});
  for (const auto& engine : record.at("engines")) {
    for (const auto& thread : engine.at("threads")) {
      for (const auto& [event, cycles] : thread.at("waiting").items()) {
        INFO("engine " << engine.at("id") << " thread " << thread.at("id") << " event '" << event
                       << "'");
        CHECK_FALSE(event.empty());
        CHECK(event != "pci");  // no mapping touches it
      }
    }
  }
}

TEST_CASE("each kind of output file holds what the record holds", "[compare]") {
  const ScratchFolder folder;
  const Outcome outcome = call_nplab({"run", "bv1", "--packets", "200", "--quiet", "--json",
                                      folder.file("r.json"), "--csv", folder.file("r.csv")});
  REQUIRE(outcome.status == 0);
  CHECK(outcome.out.empty());
  const auto record = read_json(folder.file("r.json"));
  const std::string cycles = std::to_string(record.at("cycles").at("core").get<std::uint64_t>());
  CHECK_THAT(read_text(folder.file("r.csv")), Contains("microengine_cycles,value," + cycles + ","));
}
