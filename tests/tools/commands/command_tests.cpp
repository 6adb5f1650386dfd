// The small commands: list, show, check, report, help.
#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

bool holds(const nlohmann::json& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("every command explains itself with --help", "[command]") {
  for (const char* command : {"run", "compare", "check", "show", "list", "report", "cc", "as",
                              "objdump", "exec", "new", "rules", "traffic", "test"}) {
    INFO(command);
    const Outcome outcome = call_nplab({command, "--help"});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, Contains(std::string("nplab ") + command + " [OPTIONS]"));
  }
}

TEST_CASE("nplab --help names every command", "[command]") {
  const Outcome outcome = call_nplab({"--help"});
  CHECK(outcome.status == 0);
  for (const char* command : {"run", "compare", "check", "show", "list", "report", "cc", "as",
                              "objdump", "exec", "new", "rules", "traffic", "test"}) {
    CHECK_THAT(outcome.out, Contains(std::string("\n  ") + command + " "));
  }
}

TEST_CASE("an unknown command is refused by its name", "[command]") {
  const Outcome outcome = call_nplab({"comapre"});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains("comapre") && Contains("compare"));
}

TEST_CASE("an unknown option is refused by its name", "[command]") {
  const Outcome outcome = call_nplab({"run", "bv1", "--pakets", "10"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("--pakets"));
}

TEST_CASE("no command at all is bad usage", "[command]") {
  CHECK(call_nplab({}).status == 2);
}

TEST_CASE("the option --version tells the version", "[command]") {
  const Outcome outcome = call_nplab({"--version"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Catch::StartsWith("nplab "));
}

TEST_CASE("list --json gives the names by kind", "[command]") {
  const Outcome outcome = call_nplab({"list", "--json"});
  REQUIRE(outcome.status == 0);
  const auto names = nlohmann::json::parse(outcome.out);
  for (const char* mapping : {"ls", "bv1", "bv2"})
    CHECK(holds(names.at("mappings"), mapping));
  for (const char* algorithm : {"linear-search", "bit-vector"})
    CHECK(holds(names.at("algorithms"), algorithm));
  for (const char* chip : {"ixp1200", "test"})
    CHECK(holds(names.at("chips"), chip));
  CHECK(holds(names.at("workloads"), "published"));
}

TEST_CASE("list names everything in text too", "[command]") {
  const Outcome outcome = call_nplab({"list"});
  REQUIRE(outcome.status == 0);
  for (const char* name :
       {"bv1", "bv2", "ls", "bit-vector", "linear-search", "ixp1200", "published"}) {
    CHECK_THAT(outcome.out, Contains(name));
  }
}

TEST_CASE("every listed mapping passes check", "[command]") {
  const auto names = nlohmann::json::parse(call_nplab({"list", "--json"}).out);
  for (const std::string mapping : names.at("mappings")) {
    INFO(mapping);
    const Outcome outcome = call_nplab({"check", mapping});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, Contains("control-store words") && Contains("no errors"));
  }
}

TEST_CASE("show tells stages, queues, memory and the programs of every engine", "[command]") {
  const Outcome outcome = call_nplab({"show", "bv2"});
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("stages") && Contains("queues") && Contains("memory map") &&
                              Contains("packet buffers"));
  for (const char* stage :
       {"receive", "dimension1", "dimension2", "dimension3", "intersection", "transmit"}) {
    CHECK_THAT(outcome.out, Contains(stage));
  }
  for (const char* engine :
       {"engine 0 (", "engine 1 (", "engine 2 (", "engine 3 (", "engine 4 (", "engine 5 ("}) {
    CHECK_THAT(outcome.out, Contains(engine));
  }
}

TEST_CASE("show --dot is a graph that Graphviz draws, a node a stage and an edge a queue",
          "[command]") {
  const ScratchFolder folder;
  const Outcome outcome = call_nplab({"show", "bv2", "--dot"});
  REQUIRE(outcome.status == 0);
  const std::string file = folder.write("bv2.dot", outcome.out);
  const Outcome drawn = run_program("dot", {"-Tplain", file});
  REQUIRE(drawn.status == 0);
  CHECK(drawn.err.empty());
  std::set<std::string> nodes;
  std::set<std::string> edges;
  std::istringstream lines(drawn.out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    std::string first;
    std::string second;
    words >> kind >> first >> second;
    if (kind == "node")
      nodes.insert(first);
    if (kind == "edge")
      edges.insert(first + ">" + second);
  }
  CHECK(nodes == std::set<std::string>{"receive", "dimension1", "dimension2", "dimension3",
                                       "intersection", "transmit"});
  CHECK(edges == std::set<std::string>{"receive>dimension1", "dimension1>dimension2",
                                       "dimension2>dimension3", "dimension3>intersection",
                                       "intersection>transmit"});
}

TEST_CASE("report renders a saved run as the run itself printed it", "[command]") {
  const ScratchFolder folder;
  const Outcome run =
      call_nplab({"run", "bv1", "--packets", "100", "--json", folder.file("r.json")});
  REQUIRE(run.status == 0);
  const Outcome report = call_nplab({"report", folder.file("r.json")});
  CHECK(report.status == 0);
  CHECK(report.out == run.out);
}

TEST_CASE("report renders a saved comparison as the comparison itself printed it", "[command]") {
  const ScratchFolder folder;
  const Outcome compare = call_nplab(
      {"compare", "ls", "bv1", "--packets", "100", "--published", "--json", folder.file("c.json")});
  REQUIRE(compare.status == 0);
  const Outcome report = call_nplab({"report", folder.file("c.json"), "--published"});
  CHECK(report.status == 0);
  CHECK(report.out == compare.out);
}

TEST_CASE("report --csv writes one figure a line under a heading", "[command]") {
  const ScratchFolder folder;
  REQUIRE(call_nplab({"compare", "ls", "bv1", "--packets", "100", "--quiet", "--json",
                      folder.file("c.json")})
              .status == 0);
  REQUIRE(call_nplab({"report", folder.file("c.json"), "--csv", folder.file("c.csv")}).status == 0);
  std::istringstream lines(read_text(folder.file("c.csv")));
  std::string heading;
  std::getline(lines, heading);
  CHECK(heading == "table,run,row,column,value,unit");
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    INFO(line);
    CHECK(std::count(line.begin(), line.end(), ',') == 5);
  }
  CHECK(count > 100);
}

TEST_CASE("the option --json - writes the record alone to standard output", "[command]") {
  const Outcome outcome = call_nplab({"run", "ls", "--packets", "50", "--json", "-"});
  REQUIRE(outcome.status == 0);
  CHECK(nlohmann::json::parse(outcome.out).at("schema") == "nplab.run/1");
}
