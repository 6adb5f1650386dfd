// Results that are kept by key: run --key, run --store, study --store, nplab store.
#include <catch2/catch.hpp>

#include <fstream>
#include <set>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

std::string key_of(const Words& words, const fs::path& folder = ".") {
  const Outcome outcome = call_nplab(Words{"run"} + words + Words{"--key"}, folder);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return outcome.out;
}

const Words kShortRun{"ls", "--packets", "30", "--record", "lean", "--quiet"};

Outcome run_with_store(const ScratchFolder& folder, const Words& more = {}) {
  return call_nplab(Words{"run"} + kShortRun + Words{"--store", "results"} + more, folder.path());
}

// The only result of the store.
fs::path only_result(const ScratchFolder& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder.file("results")))
    found.push_back(entry.path());
  REQUIRE(found.size() == 1);
  return found.front();
}

void overwrite(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string without_host(const std::string& path) {
  auto record = read_json(path);
  record.erase("host");
  return record.dump();
}

}  // namespace

TEST_CASE("the key of a run changes with everything that its record depends on", "[store]") {
  const ScratchFolder folder;
  const std::string rule = "@10.0.0.0/8\t0.0.0.0/0\t0 : 65535\t80 : 80\t0x06/0xFF\n";
  const std::string own = folder.write("own.rules", rule);
  std::set<std::string> keys;
  const std::vector<Words> different{{"bv1"},
                                     {"bv2"},
                                     {"bv1", "--packets", "100"},
                                     {"bv1", "--seed", "2"},
                                     {"bv1", "--drain"},
                                     {"bv1", "--set", "queues.received.entries=64"},
                                     {"bv1", "--set", "chip.sram.pipeline_latency=20"},
                                     {"bv1", "--set", "workload.seed=7"},
                                     {"bv1", "--chip", "cmp-io"},
                                     {"bv1", "--rules", own},
                                     {"bv1", "--rules", "gen:acl,count=50"},
                                     {"bv1", "--rules", "gen:acl,count=51"},
                                     {"bv1", "--traffic", "gen:uniform"},
                                     {"bv1", "--arrival", "lossless"},
                                     {"bv1", "--ports-in", "0-1"},
                                     {"bv1", "--l4-key", "always"},
                                     {"bv1", "--without", "sram"},
                                     {"bv1", "--record", "lean"}};
  for (const Words& words : different)
    keys.insert(key_of(words, folder.path()));
  CHECK(keys.size() == different.size());
  CHECK(keys.begin()->size() == 65);  // 64 digits and the end of the line

  (void)folder.write("own.rules", rule + rule);
  CHECK(keys.insert(key_of({"bv1", "--rules", own}, folder.path())).second);
}

TEST_CASE("the key of a run is the same again, and in both modes", "[store]") {
  CHECK(key_of({"bv1"}) == key_of({"bv1"}));
  CHECK(key_of({"bv1"}) == key_of({"bv1", "--mode", "lockstep"}));
}

TEST_CASE("an edited mapping and an edited chip have another key", "[store]") {
  const ScratchFolder folder;
  const std::string text = read_text(nplab::source_path("mappings/bit-vector/bv1.yaml"));
  (void)folder.write("bv1.yaml", text);
  (void)folder.write("own.yaml", "extends: ixp1200\nname: own\nsram: {pipeline_latency: 20}\n");
  const Words words{"bv1.yaml", "--chip", "own.yaml"};
  const std::string before = key_of(words, folder.path());
  (void)folder.write("own.yaml", "extends: ixp1200\nname: own\nsram: {pipeline_latency: 21}\n");
  const std::string with_chip = key_of(words, folder.path());
  (void)folder.write("bv1.yaml", text + "# a comment\n");
  const std::string with_mapping = key_of(words, folder.path());
  CHECK(std::set<std::string>{before, with_chip, with_mapping}.size() == 3);
}

TEST_CASE("a key of what does not exist is refused as the run is", "[store]") {
  const Outcome outcome = call_nplab({"run", "bv9", "--key"});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains("bv9: error: "));
}

TEST_CASE("a run with a store is made once, and its record is the same from the store", "[store]") {
  const ScratchFolder folder;
  REQUIRE(run_with_store(folder, {"--json", "first.json"}).status == 0);
  const fs::path result = only_result(folder);
  CHECK(result.filename().string() ==
        key_of({"ls", "--packets", "30", "--record", "lean"}).substr(0, 64) + ".json.gz");
  const auto written = fs::last_write_time(result);
  REQUIRE(run_with_store(folder, {"--json", "second.json"}).status == 0);
  CHECK(read_text(folder.file("first.json")) == read_text(folder.file("second.json")));
  CHECK(fs::last_write_time(result) == written);
  REQUIRE(
      call_nplab(Words{"run"} + kShortRun + Words{"--json", "alone.json"}, folder.path()).status ==
      0);
  CHECK(without_host(folder.file("alone.json")) == without_host(folder.file("second.json")));
}

TEST_CASE("a damaged result is named, and the run is made again", "[store]") {
  const ScratchFolder folder;
  REQUIRE(run_with_store(folder).status == 0);
  const fs::path result = only_result(folder);
  const std::string whole = read_text(result.string());
  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 1;
  for (const std::string& damaged :
       {whole.substr(0, whole.size() - 9), flipped, std::string(), std::string("no gzip file")}) {
    overwrite(result, damaged);
    const Outcome verified = call_nplab({"store", "verify", "results"}, folder.path());
    CHECK(verified.status == 1);
    CHECK_THAT(verified.err, Contains(result.filename().string() + ":0:0: error: "));
    CHECK_THAT(verified.out, Contains("1 results, 1 damaged"));
    const Outcome again = run_with_store(folder);
    CHECK(again.status == 0);
    CHECK_THAT(again.err, Contains("warning: ") && Contains("the run is made again"));
    CHECK(call_nplab({"store", "verify", "results"}, folder.path()).status == 0);
  }
}

TEST_CASE("a result under the name of another is not taken", "[store]") {
  const ScratchFolder folder;
  REQUIRE(run_with_store(folder).status == 0);
  const fs::path result = only_result(folder);
  const std::string other = key_of({"ls", "--packets", "31", "--record", "lean"}).substr(0, 64);
  fs::rename(result, result.parent_path() / (other + ".json.gz"));
  const Outcome verified = call_nplab({"store", "verify", "results"}, folder.path());
  CHECK(verified.status == 1);
  CHECK_THAT(verified.err, Contains("was the file renamed?"));
}

TEST_CASE("gc removes what no run can use, and nothing else", "[store]") {
  const ScratchFolder folder;
  REQUIRE(run_with_store(folder).status == 0);
  const fs::path result = only_result(folder);
  overwrite(result.parent_path() / (std::string(64, 'a') + ".json.gz"), "damaged");
  overwrite(result.parent_path() / "notes.txt", "of the user");
  const Outcome dry = call_nplab({"store", "gc", "results", "--dry-run"}, folder.path());
  CHECK_THAT(dry.out, Contains("damaged: ") && Contains("1 would be removed, 1 kept"));
  CHECK(fs::exists(result.parent_path() / (std::string(64, 'a') + ".json.gz")));
  const Outcome done = call_nplab({"store", "gc", "results"}, folder.path());
  CHECK_THAT(done.out, Contains("1 removed, 1 kept"));
  CHECK(fs::exists(result));
  CHECK(fs::exists(result.parent_path() / "notes.txt"));
  CHECK_FALSE(fs::exists(result.parent_path() / (std::string(64, 'a') + ".json.gz")));
}

TEST_CASE("outputs that need the run itself are refused with a store", "[store]") {
  const ScratchFolder folder;
  for (const Words& words :
       {Words{"--html", "p.html"}, Words{"--pcap-out", "c"}, Words{"--profile-out", "p.json"}}) {
    const Outcome outcome = run_with_store(folder, words);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(words.front() + ": error: needs the run itself"));
  }
  CHECK(call_nplab({"store", "ls", "nowhere"}, folder.path()).status == 2);
}

TEST_CASE("a store in the place of a file is refused by name", "[store]") {
  const ScratchFolder folder;
  (void)folder.write("results", "a file");
  const Outcome outcome = run_with_store(folder);
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("--store results: error: the folder cannot be made"));
}

TEST_CASE("a study with a store runs only what is missing", "[store]") {
  const ScratchFolder folder;
  (void)folder.write("s.yaml",
                     "study: s\nsummary: entries of a queue\naxis: {name: entries, points: [16, "
                     "32]}\noptions: {packets: 60, set: [\"queues.received.entries={entries}\"]}\n"
                     "figures: [{metric: packets_per_s}]\nseries: [{name: bv1, mapping: bv1}]\n");
  const Words study{"study", "s.yaml", "--store", "results", "--quiet", "--json"};
  const Outcome plan =
      call_nplab({"study", "s.yaml", "--store", "results", "--dry-run"}, folder.path());
  INFO(plan.err);
  CHECK(plan.out == "2 runs, 0 of them in results\n");
  REQUIRE(call_nplab(study + Words{"first.json"}, folder.path()).status == 0);
  CHECK(call_nplab({"study", "s.yaml", "--store", "results", "--dry-run"}, folder.path()).out ==
        "2 runs, 2 of them in results\n");
  REQUIRE(call_nplab(study + Words{"second.json"}, folder.path()).status == 0);
  CHECK(read_text(folder.file("first.json")) == read_text(folder.file("second.json")));
  CHECK_THAT(
      call_nplab({"study", "s.yaml", "16", "24", "--store", "results", "--dry-run"}, folder.path())
          .out,
      Contains("2 runs, 1 of them in results; the 1 others take about "));
}

TEST_CASE("the keys of many runs are printed at once, and a wrong run has none", "[store]") {
  const ScratchFolder folder;
  (void)folder.write("runs", "[\"bv1\", \"--packets\", \"100\"]\n[\"bv9\"]\n[\"bv1\", \"--no\"]\n");
  const Outcome outcome = call_nplab({"store", "keys", "runs"}, folder.path());
  CHECK(outcome.status == 0);
  CHECK(outcome.out == key_of({"bv1", "--packets", "100"}) + "-\n-\n");
  (void)folder.write("runs", "[\"bv1\"]\nbv1\n");
  const Outcome wrong = call_nplab({"store", "keys", "runs"}, folder.path());
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Contains("runs:2:1: error: expected the words after `nplab run`"));
}
