// Where the cycles went: nplab annotate and nplab diff on real runs.
#include <algorithm>
#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <sstream>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("the record holds the text of every file that its lines name", "[attribution]") {
  for (const char* mapping : {"ls", "bv1", "bv2"}) {
    const auto record = record_of({mapping, "--packets", "300"});
    std::set<std::string> named;
    for (const auto& line : record.at("lines"))
      if (line.at("file") != "<generated>")
        named.insert(line.at("file").get<std::string>());
    std::set<std::string> held;
    for (const auto& source : record.at("sources"))
      held.insert(source.at("file").get<std::string>());
    CHECK(named == held);
    CHECK(named.size() > 8);
  }
}

TEST_CASE(
    "the references that move a packet are not waiting for work, in whatever order blocks lie",
    "[attribution]") {
  for (const char* optimize : {"published", "2"}) {
    const auto record =
        record_of({"bv1", "--set", std::string("optimize=") + optimize, "--packets", "300"});
    std::set<int> moving;  // engines
    for (const auto& line : record.at("lines")) {
      if (!line.contains("references") || !line.at("references").contains("sdram"))
        continue;
      CAPTURE(optimize, line.dump());
      CHECK(line.at("poll") == false);
      moving.insert(line.at("engine").get<int>());
    }
    CHECK(moving.contains(0));
    CHECK(moving.contains(5));
  }
}

TEST_CASE("annotate prints the hottest lines of a run with their text", "[attribution]") {
  const ScratchFolder folder;
  REQUIRE(
      call_nplab({"run", "bv1", "--packets", "300", "--quiet", "--json", folder.file("run.json")})
          .status == 0);
  const Outcome outcome = call_nplab({"annotate", folder.file("run.json"), "--lines", "0"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out,
             Contains("mappings/bit-vector/lookup.c:39  } while (!(entry & ENTRY_LEAF));"));
  CHECK_THAT(outcome.out, Contains("all lines; idle"));
  const Outcome in_place =
      call_nplab({"annotate", folder.file("run.json"), "--engine", "1", "--source"});
  CHECK_THAT(in_place.out, Contains("bv1-engine1.c"));
  CHECK_THAT(in_place.out, !Contains("bv1-engine2.c"));
}

TEST_CASE("diff names the lock that BV2 spends its time at, with counts and locks in memory",
          "[attribution]") {
  const ScratchFolder folder;
  std::vector<std::string> locks;
  for (const char* queue : {"received", "found1", "found2", "found3", "classified"}) {
    locks.insert(locks.end(), {"--set", std::string("queues.") + queue + ".sync=memory_lock"});
  }
  for (const char* mapping : {"bv1", "bv2"}) {
    const std::string record = folder.file(std::string(mapping) + ".json");
    std::vector<std::string> call{"run", mapping, "--packets", "1500", "--quiet", "--json", record};
    if (mapping == std::string("bv2"))
      call.insert(call.end(), locks.begin(), locks.end());
    REQUIRE(call_nplab(call).status == 0);
  }
  const Outcome outcome =
      call_nplab({"diff", folder.file("bv1.json"), folder.file("bv2.json"), "--rows", "1"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("Transmit falls by"));
  CHECK_THAT(outcome.out, Contains("mappings/library/queue.h  while (sram_test_and_set("));
  CHECK_THAT(outcome.out, Contains("Transmit falls because SRAM bounds the later run"));
  CHECK_THAT(outcome.out, Contains("from mappings/library/queue.h:"));
}

TEST_CASE("diff takes the runs of a comparison, both or by name or number", "[attribution]") {
  const ScratchFolder folder;
  const auto made = [&](const Words& mappings, const std::string& file) {
    REQUIRE(call_nplab(Words{"compare"} + mappings +
                       Words{"--packets", "50", "--quiet", "--json", folder.file(file)})
                .status == 0);
  };
  made({"ls", "bv1"}, "two.json");
  made({"bv1", "bv2", "bv1:stages.classify.threads=2"}, "three.json");
  const auto diff = [&](const Words& runs) {
    return call_nplab(Words{"diff"} + runs, folder.path());
  };
  CHECK_THAT(diff({"two.json"}).out, StartsWith("bv1 (after) compared with ls (before)\n"));
  CHECK_THAT(diff({"two.json#bv1", "two.json#ls"}).out,
             StartsWith("ls (after) compared with bv1 (before)\n"));
  CHECK(diff({"three.json#bv1", "three.json#bv1#2"}).status == 0);
  CHECK_THAT(diff({"three.json#2", "two.json#1"}).out,
             StartsWith("ls (after) compared with bv2 (before)\n"));
  const std::string names = "bv1, bv2, bv1#2";
  for (const Words& runs : {Words{"three.json"}, Words{"three.json#bv7", "three.json#2"},
                            Words{"three.json", "two.json#1"}}) {
    const Outcome refused = diff(runs);
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err, Contains("FILE#RUN") && Contains(names));
  }
}

TEST_CASE("report prints its text when no file is asked for, and only then", "[attribution]") {
  const ScratchFolder folder;
  const std::string run = folder.file("r.json");
  REQUIRE(call_nplab({"run", "ls", "--packets", "50", "--quiet", "--json", run}).status == 0);
  CHECK_THAT(call_nplab({"report", run}).out, StartsWith("Run ls\n"));
  for (const char* option : {"--svg", "--dot", "--csv", "--html"})
    CHECK(call_nplab({"report", run, option, folder.file("written")}).out.empty());
  CHECK_THAT(call_nplab({"report", run, "--svg", "-"}).out,
             StartsWith("<svg") && !Contains("Run ls\n"));
}

TEST_CASE("annotate and diff refuse what they cannot read, with exit 2", "[attribution]") {
  const ScratchFolder folder;
  const std::string text = folder.write("text.json", "{");
  CHECK(call_nplab({"annotate", text}).status == 2);
  CHECK_THAT(call_nplab({"annotate", text}).err, Contains("text.json:1:"));
  CHECK(call_nplab({"diff", text, folder.file("absent.json")}).status == 2);
  REQUIRE(call_nplab({"compare", "ls", "bv1", "--packets", "50", "--json", folder.file("two.json")})
              .status == 0);
  CHECK_THAT(call_nplab({"annotate", folder.file("two.json"), "--engine", "6"}).err,
             Contains("has no engine 6"));
  CHECK_THAT(call_nplab({"diff", folder.file("two.json"), folder.file("two.json")}).err,
             Contains("holds 2 runs"));
}

TEST_CASE("annotate of a file that the run does not have names those that it has",
          "[attribution]") {
  const ScratchFolder folder;
  const std::string run = folder.write("run.json", record_of({"bv1", "--packets", "20"}).dump());
  const Outcome outcome = call_nplab({"annotate", run, "--file", "nothere.c"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err,
             Contains("ends in 'nothere.c'") && Contains("mappings/bit-vector/lookup.c"));
  CHECK(call_nplab({"annotate", run, "--file", "lookup.c"}).status == 0);
}

TEST_CASE("annotate --causes tells below a line what it stalled on, waited for and referred to",
          "[attribution]") {
  const ScratchFolder folder;
  const auto record = record_of({"bv1", "--packets", "200"});
  const std::string run = folder.write("run.json", record.dump());
  const Outcome outcome = call_nplab({"annotate", run, "--causes", "--lines", "0"});
  CHECK(outcome.status == 0);
  std::map<std::string, std::uint64_t> wanted;
  for (const auto& line : record.at("lines"))
    if (line.contains("references"))
      for (const auto& [unit, count] : line.at("references").items())
        wanted[unit] += count.get<std::uint64_t>();
  std::map<std::string, std::uint64_t> told;
  for (auto at = outcome.out.find("references "); at != std::string::npos;
       at = outcome.out.find("references ", at + 1)) {
    std::istringstream words(
        outcome.out.substr(at + 11, outcome.out.find_first_of(";\n", at) - at - 11));
    std::string unit, count;
    while (words >> unit >> count)
      told[unit] += std::stoull(count);
  }
  CHECK(told == wanted);
  CHECK(told.size() >= 3);
}

TEST_CASE("collapsed stacks add up to the run's cycles, for every engine", "[attribution]") {
  const ScratchFolder folder;
  const auto record = record_of({"bv1", "--packets", "100"});
  const Outcome outcome =
      call_nplab({"annotate", folder.write("run.json", record.dump()), "--stacks"});
  REQUIRE(outcome.status == 0);
  std::map<std::string, std::uint64_t> cycles;  // by engine
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    const auto blank = line.rfind(' ');
    REQUIRE(line.find(' ') == blank);
    CHECK(line.starts_with("bv1;engine_"));
    cycles[line.substr(0, line.find(';', 4))] += std::stoull(line.substr(blank));
  }
  CHECK(cycles.size() == record.at("engines").size());
  for (const auto& [engine, sum] : cycles) {
    INFO(engine);
    CHECK(sum == record.at("cycles").at("core"));
  }
}

TEST_CASE("the stage graph of a run is one that Graphviz draws", "[attribution]") {
  if (run_program("sh", {"-c", "command -v dot"}).status != 0) {
    WARN("skipped: dot (package graphviz) is not installed");
    return;
  }
  const ScratchFolder folder;
  const std::string run = folder.write("run.json", record_of({"bv2", "--packets", "100"}).dump());
  REQUIRE(call_nplab({"report", run, "--dot", folder.file("run.dot")}).status == 0);
  const Outcome drawn = run_program("dot", {"-Tplain", folder.file("run.dot")});
  CHECK(drawn.status == 0);
  CHECK_THAT(drawn.out, Contains("dimension1") && Contains("edge receive dimension1") &&
                            Contains("thousand/s"));
}

TEST_CASE("the words of every program add up to its engine's cycles and its lines",
          "[attribution]") {
  const auto record = record_of({"bv2", "--packets", "200"});
  const auto sum = [](const nlohmann::json& program, const char* column) {
    std::istringstream entries(program.at(column).get<std::string>());
    std::uint64_t total = 0, words = 0;
    for (std::uint64_t entry = 0; entries >> entry; ++words)
      total += entry;
    CHECK(words == program.at("assembly").size());
    return total;
  };
  CHECK(record.at("programs").size() == 6);
  for (const auto& program : record.at("programs")) {
    const auto& engine = record.at("engines").at(program.at("engine").get<std::size_t>());
    INFO("engine " << program.at("engine"));
    CHECK(program.at("assembly").size() == engine.at("words"));
    for (const char* state : {"executing", "aborted", "stalled"})
      CHECK(sum(program, state) == engine.at("cycles").at(state));
    std::uint64_t references = 0;
    for (const auto& line : record.at("lines")) {
      if (line.at("engine") != program.at("engine") || !line.contains("references"))
        continue;
      for (const auto& [unit, count] : line.at("references").items())
        references += count.get<std::uint64_t>();
    }
    CHECK(sum(program, "references") == references);
  }
}

TEST_CASE("annotate --asm prints instructions after their source lines", "[attribution]") {
  const ScratchFolder folder;
  const std::string run = folder.write("run.json", record_of({"bv1", "--packets", "100"}).dump());
  const Outcome in_place = call_nplab({"annotate", run, "--asm", "--source", "--engine", "1"});
  CHECK(in_place.status == 0);
  CHECK_THAT(in_place.out,
             Contains("; mappings/bit-vector/lookup.c:39  } while (!(entry & ENTRY_LEAF));"));
  CHECK_THAT(in_place.out, Contains("ctx_swap"));
  const Outcome hottest = call_nplab({"annotate", run, "--asm", "--lines", "2"});
  CHECK_THAT(hottest.out, Contains("; engine") && Contains("more words"));
  auto without = record_of({"bv1", "--packets", "20"});
  without.erase("programs");
  CHECK_THAT(call_nplab({"annotate", folder.write("old.json", without.dump()), "--asm"}).err,
             Contains("holds no programs"));
}

TEST_CASE("the control-flow graph of a run's program is one that Graphviz draws", "[attribution]") {
  const ScratchFolder folder;
  const std::string run = folder.write("run.json", record_of({"bv1", "--packets", "100"}).dump());
  REQUIRE(call_nplab({"report", run, "--cfg", "1", "--dot", folder.file("cfg.dot"), "--svg",
                      folder.file("cfg.svg")})
              .status == 0);
  const Outcome svg = run_program("cat", {folder.file("cfg.svg")});
  CHECK_THAT(svg.out, Contains("<svg") && Contains("lookup.c:39") && Contains("entered"));
  const std::string table = folder.file("run.csv");
  CHECK(call_nplab({"report", run, "--csv", table, "--cfg", "1"}).status ==
        2);  // no file for the graph
  CHECK_THAT(call_nplab({"report", run, "--csv", table, "--cfg", "9", "--dot", "-"}).err,
             Contains("holds no program for engine 9"));
  CHECK_THAT(call_nplab({"report", run, run, "--csv", table, "--svg", folder.file("two.svg")}).err,
             Contains("draws one run, but 2 are given"));
  CHECK(folder.names() == std::vector<std::string>{"cfg.dot", "cfg.svg", "run.json"});
  if (run_program("sh", {"-c", "command -v dot"}).status != 0) {
    WARN("skipped: dot (package graphviz) is not installed");
    return;
  }
  CHECK(run_program("dot", {"-Tplain", folder.file("cfg.dot")}).status == 0);
}

namespace {

double share(const nlohmann::json& engine, const char* use) {
  return engine.at(std::string(use) + "_pct").get<double>();
}

// Of the engine that runs a stage of the given role.
const nlohmann::json& engine_with_role(const nlohmann::json& record, const std::string& role) {
  const auto& engines = record.at("engines");
  const auto found = std::find_if(engines.begin(), engines.end(),
                                  [&](const auto& engine) { return engine.at("role") == role; });
  INFO(role);
  REQUIRE(found != engines.end());
  return *found;
}

}  // namespace

TEST_CASE("the cycles of an engine are divided by use, in lines and engines alike",
          "[attribution]") {
  for (const char* mapping : {"ls", "bv1", "bv2", "hicuts-pipe", "tss-data"}) {
    CAPTURE(mapping);
    const auto record = record_of({mapping, "--packets", "500"});
    for (const auto& engine : record.at("engines")) {
      if (engine.at("words") == 0)
        continue;
      std::map<std::string, std::uint64_t> by_use;
      for (const auto& line : record.at("lines")) {
        if (line.at("engine") != engine.at("id"))
          continue;
        by_use[line.at("work").get<std::string>()] += line.at("executing").get<std::uint64_t>();
        CHECK(line.at("poll") == (line.at("work") != "useful"));
      }
      double all = 0;
      for (const char* use : {"useful", "starved", "blocked", "lock_spin"}) {
        CHECK(engine.at("work_cycles").at(use) == by_use[use]);
        all += share(engine, use);
      }
      CHECK(all == Approx(share(engine, "executing")));
      CHECK(share(engine, "polling") == Approx(all - share(engine, "useful")));
    }
  }
}

TEST_CASE("an engine without enough packets is starved, one before a slow stage blocked",
          "[attribution]") {
  const auto idle = record_of({"bv1", "--packets", "300", "--arrival", "2"});
  const auto& starved = engine_with_role(idle, "classify");
  CHECK(share(starved, "starved") > 20);
  CHECK(share(starved, "blocked") < 1);
  CHECK(share(starved, "useful") < 10);
  const auto slow = record_of({"bv1", "--packets", "3000", "--set", "tuning.transmit_work=512"});
  const auto& blocked = engine_with_role(slow, "classify");
  CHECK(share(blocked, "blocked") > 20);
  CHECK(share(blocked, "blocked") > share(blocked, "starved"));
  CHECK(share(engine_with_role(slow, "transmit"), "useful") > 60);
}

TEST_CASE("locks in memory that many threads want are distinguished from work", "[attribution]") {
  const auto record =
      record_of({"bv1", "--packets", "1000", "--set", "queues.received.sync=memory_lock", "--set",
                 "queues.received.per=shared"});
  CHECK(share(engine_with_role(record, "classify"), "lock_spin") > 1);
}
