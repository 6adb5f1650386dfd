// nplab explore: counts, searches, resumes, and writes mappings that run.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// Few points, which need few runs.
constexpr const char* kSmallSpace =
    "space: small\n"
    "others: first\n"
    "stages: {most: 2}\n"
    "engines: {per_stage: [1, 2], threads: [4, 2]}\n"
    "queues: {received: {entries: [64]}, classified: {entries: [16]}}\n";

Words search(const std::string& space, const std::string& out, const Words& more = {}) {
  return Words{"explore", "hicuts", "--space", space,     "--runs", "6", "--packets",
               "800",     "--out",  out,       "--quiet", "--json", "-"} +
         more;
}

// The front without the names of its files.
nlohmann::json front_of(const std::string& text) {
  auto front = nlohmann::json::parse(text).at("front");
  for (auto& one : front)
    one.erase("mapping");
  return front;
}

}  // namespace

TEST_CASE("explore --count says how many points there are and how many are legal", "[explore]") {
  const ScratchFolder folder;
  const Outcome outcome =
      call_nplab({"explore", "hicuts", "--space", folder.write("s.yaml", kSmallSpace), "--count"});
  CHECK(outcome.status == 0);
  // One stage on 1 or 2 engines, three cuts into two stages on 1 or 2 engines each, 2 or 4 threads.
  CHECK_THAT(outcome.out, Contains("space small, 28 points of 28 structures\nlegal: 28\n"));
}

TEST_CASE("explore finds mappings that run as it says, and the same ones when it is resumed",
          "[explore]") {
  const ScratchFolder folder;
  const std::string space = folder.write("s.yaml", kSmallSpace);
  const std::string out = folder.file("out");
  const Outcome whole = call_nplab(search(space, out));
  INFO(whole.err);
  REQUIRE(whole.status == 0);
  const auto report = nlohmann::json::parse(whole.out);
  CHECK(report.at("schema") == "nplab.explore/1");
  CHECK(report.at("space").at("points") == 28);
  CHECK(report.at("space").at("legal") == 28);
  CHECK(report.at("simulated") == 6);
  CHECK(report.at("predicted") == 28);
  CHECK(report.at("front").at(0).at("predicted").at("packets_per_s") > 0);
  CHECK(report.at("best") == report.at("front").at(0).at("mapping"));
  CHECK(report.at("front").at(0).at("bound").contains("resource"));
  CHECK_FALSE(report.at("listed").empty());

  const std::string best = report.at("best");
  const auto record = record_of({best, "--packets", "800"});
  CHECK(record.at("packets").at("misclassified") == 0);
  CHECK(record.at("latency_cycles").at("p99") ==
        report.at("front").at(0).at("objectives").at("latency_cycles").at("p99"));

  // A search that was stopped after three outcomes goes on from there.
  const std::string stopped = folder.file("stopped");
  fs::create_directory(stopped);
  std::istringstream lines(read_text(out + "/journal.jsonl"));
  std::ofstream journal(stopped + "/journal.jsonl");
  std::string line;
  for (int i = 0; i < 4 && std::getline(lines, line); ++i)
    journal << line << '\n';
  journal.close();
  const Outcome resumed = call_nplab(search(space, stopped));
  REQUIRE(resumed.status == 0);
  CHECK(nlohmann::json::parse(resumed.out).at("resumed") == 3);
  CHECK(front_of(resumed.out) == front_of(whole.out));

  const Outcome other = call_nplab(search(space, out, {"--set", "workload.seed=2"}));
  CHECK(other.status == 2);
  CHECK_THAT(other.err, Contains("journal.jsonl:1:1: error: this journal is of another search"));
}

TEST_CASE("explore refuses what it does not understand, all at once", "[explore]") {
  const Outcome outcome = call_nplab(
      {"explore", "hicut", "--objective", "rate,speed", "--budget", "soon", "--packets", "0"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("--objective: error: 'rate,speed' is not a list of"));
  CHECK_THAT(outcome.err, Contains("--budget: error: 'soon' is not a time, such as 10min"));
  CHECK_THAT(outcome.err, Contains("--packets: error: a search compares runs of equal length"));
  CHECK_THAT(outcome.err, Contains("did you mean 'hicuts'?"));
}
