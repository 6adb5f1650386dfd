// Variants of the labs, and the archives that students get.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string kLabs = nplab::source_path("docs/labs/");

Outcome check(int lab, const ScratchFolder& folder) {
  return call_nplab({"lab", "check", std::to_string(lab)}, folder.path());
}

double value_of(const json& record, const std::string& pointer) {
  return record.at(json::json_pointer(pointer)).get<double>();
}

// A variant's files as a student gets them, with the solution in their place.
void put_solution_of_variant(const ScratchFolder& folder, const std::string& name,
                             const std::string& starting_text) {
  std::ifstream stream(kLabs + "solutions/" + name);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  // Figures that solutions have in common with the starting files, by their names.
  for (const char* constant : {"HEADER", "ENTRIES", "TABLE", "RESULT", "NUMBERS", "SEED"}) {
    const std::regex line(std::string("#define ") + constant + " [0-9a-fx]+");
    std::smatch own;
    if (std::regex_search(starting_text, own, line))
      text = std::regex_replace(text, line, own.str());
  }
  (void)folder.write(name, text);
}

Outcome start_variant(int lab, int seed, const ScratchFolder& folder) {
  return call_nplab({"lab", "start", std::to_string(lab), "--variant", std::to_string(seed)},
                    folder.path());
}

Outcome check_variant(int lab, int seed, const ScratchFolder& folder) {
  return call_nplab({"lab", "check", std::to_string(lab), "--variant", std::to_string(seed)},
                    folder.path());
}

// The words of the first command in a variant's task that begins so, from the mapping on, without
// the record that it would write.
std::vector<std::string> words_of_task(const ScratchFolder& folder, const std::string& command) {
  const std::string task = read_text(folder.path() / "README.md");
  const std::size_t at = task.find("\n" + command);
  REQUIRE(at != std::string::npos);
  std::istringstream line(task.substr(at + 1, task.find('\n', at + 1) - at - 1));
  std::vector<std::string> words(std::istream_iterator<std::string>(line), {});
  words.erase(words.begin(), words.begin() + 2);
  if (const auto json = std::find(words.begin(), words.end(), "--json"); json != words.end())
    words.erase(json, json + 2);
  return words;
}

}  // namespace

TEST_CASE("a variant's starting files do not pass, its solution does, and only as that variant",
          "[lab][variant]") {
  const auto [lab, file] = GENERATE(std::pair{1, "checksum.c"}, std::pair{2, "table.c"},
                                    std::pair{3, "count.c"}, std::pair{6, "mine.yaml"});
  const int seed = GENERATE(1, 2, 3);
  CAPTURE(lab, seed);
  const ScratchFolder folder;
  REQUIRE(start_variant(lab, seed, folder).status == 0);
  CHECK_THAT(read_text(folder.path() / "README.md"),
             Contains("nplab lab check " + std::to_string(lab) + " --variant " +
                      std::to_string(seed) + "\n"));
  const Outcome before = check_variant(lab, seed, folder);
  CHECK(before.status == 1);
  CHECK(json::parse(before.out).at("variant") == seed);
  put_solution_of_variant(folder, file, read_text(folder.path() / file));
  const Outcome after = check_variant(lab, seed, folder);
  INFO(after.out);
  CHECK(after.status == 0);
  if (lab != 6)  // whose solution is a mapping, which other rules do not change
    CHECK(check(lab, folder).status == 1);
}

TEST_CASE("equal seeds give equal variants, and different ones ask for different answers",
          "[lab][variant]") {
  for (const int lab : {1, 2, 3, 4, 5, 6, 7}) {
    std::set<std::string> tasks;
    for (const int seed : {1, 2, 3, 4, 5, 6}) {
      const ScratchFolder first, second;
      REQUIRE(start_variant(lab, seed, first).status == 0);
      REQUIRE(start_variant(lab, seed, second).status == 0);
      std::string all;
      for (const auto& entry : fs::directory_iterator(first.path())) {
        const std::string text = read_text(entry.path());
        CHECK(text == read_text(second.path() / entry.path().filename()));
        all += text;
      }
      tasks.insert(all);
    }
    CAPTURE(lab);
    CHECK(tasks.size() >= 3);
  }
}

TEST_CASE("the answers of a variant are the figures of runs with its options", "[lab][variant]") {
  const ScratchFolder folder;
  REQUIRE(start_variant(4, 5, folder).status == 0);
  const std::string task = read_text(folder.path() / "README.md");
  std::smatch options;
  REQUIRE(std::regex_search(
      task, options, std::regex("--packets 2000 (--rules [^ ]+ --traffic gen: --set [^ ]+)")));
  std::string answers;
  for (const std::string mapping : {"ls", "bv1"}) {
    std::vector<std::string> words{mapping, "--packets", "2000"};
    std::istringstream more(options[1]);
    for (std::string word; more >> word;)
      words.push_back(word);
    const json record = record_of(words);
    answers +=
        mapping + "_transmit_mbps: " + std::to_string(value_of(record, "/rates_mbps/transmit")) +
        "\n" + mapping + "_sram_references_per_packet: " +
        std::to_string(value_of(record, "/memory/sram/references") /
                       value_of(record, "/packets/sent")) +
        "\n" + mapping +
        "_sram_active_percent: " + std::to_string(value_of(record, "/memory/sram/active_pct")) +
        "\n";
  }
  (void)folder.write("answers4.yaml", answers);
  CHECK(check_variant(4, 5, folder).status == 0);
  CHECK(check(4, folder).status == 1);
}

TEST_CASE("what a variant asks of two mappings are figures of runs with its options",
          "[lab][variant]") {
  const ScratchFolder folder;
  REQUIRE(start_variant(5, 4, folder).status == 0);
  std::string answers;
  for (const std::string mapping : {"bv1", "bv2"}) {
    const json record = record_of(words_of_task(folder, "nplab run " + mapping + " "));
    const auto per_packet = [&](const std::string& memory) {
      return value_of(record, "/memory/" + memory + "/references") /
             value_of(record, "/packets/sent");
    };
    answers += fmt::format(
        "{0}_sram_references_per_packet: {1}\n{0}_sdram_references_per_packet: {2}\n"
        "{0}_median_latency_cycles: {3}\n",
        mapping, per_packet("sram"), per_packet("sdram"), value_of(record, "/latency_cycles/p50"));
  }
  (void)folder.write("answers5.yaml", answers);
  CHECK(check_variant(5, 4, folder).status == 0);
  CHECK(check(5, folder).status == 1);
}

TEST_CASE("a variant's prediction and its bound by hand pass, and the solution's mapping does",
          "[lab][variant]") {
  const int seed = GENERATE(2, 3);
  CAPTURE(seed);
  const ScratchFolder folder;
  REQUIRE(start_variant(7, seed, folder).status == 0);
  CHECK(check_variant(7, seed, folder).status == 1);
  const json record = record_of(words_of_task(folder, "nplab run abv-data "));
  std::vector<std::string> predict = words_of_task(folder, "nplab predict abv-data ");
  predict.insert(predict.begin(), "predict");
  predict.insert(predict.end(), {"--quiet", "--json", "-"});
  const json prediction = json::parse(call_nplab(predict, folder.path()).out);
  const double active = value_of(record, "/memory/sdram/active_cycles");
  const double sent = value_of(record, "/packets/sent");
  (void)folder.write("answers7.yaml",
                     fmt::format("sdram_cycles_per_packet: {}\n"
                                 "packets_per_s_of_a_full_sdram_bus: {}\n"
                                 "predicted_packets_per_s: {}\n",
                                 active / sent, value_of(record, "/clocks/core_hz") * sent / active,
                                 value_of(prediction, "/predictions/0/packets_per_s")));
  (void)folder.write("mine7.yaml", read_text(kLabs + "solutions/mine7.yaml"));
  const Outcome after = check_variant(7, seed, folder);
  INFO(after.out);
  CHECK(after.status == 0);
  CHECK(check(7, folder).status == 1);
}

TEST_CASE("a pack has tasks and starting files, and nothing of the solutions", "[lab][variant]") {
  const ScratchFolder folder;
  const Outcome packed = call_nplab({"lab", "pack", "labs.zip"}, folder.path());
  CHECK(packed.status == 0);
  CHECK(packed.out == "labs.zip: 7 labs\n");
  REQUIRE(
      run_program("python3", {"-m", "zipfile", "-e", "labs.zip", "out"}, folder.path()).status ==
      0);
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path() / "out"))
    if (entry.is_regular_file())
      names.insert(fs::relative(entry.path(), folder.path() / "out").string());
  CHECK(names.size() == 1 + 7 + 11);
  CHECK(names.contains("nplab-labs/README.md"));
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK_THAT(name, !Contains("solution") && !Contains("lab.yaml") && !Contains("guide"));
    const fs::path original = kLabs + name.substr(std::string("nplab-labs/").size());
    if (name != "nplab-labs/README.md")
      CHECK(read_text(folder.path() / "out" / name) == read_text(original));
  }
}

TEST_CASE("a pack of a variant is what `lab start` writes, byte for byte every time",
          "[lab][variant]") {
  const ScratchFolder folder;
  for (const char* name : {"a.zip", "b.zip"})
    REQUIRE(call_nplab({"lab", "pack", name, "2", "3", "--variant", "9"}, folder.path()).status ==
            0);
  CHECK(read_text(folder.path() / "a.zip") == read_text(folder.path() / "b.zip"));
  REQUIRE(run_program("python3", {"-m", "zipfile", "-e", "a.zip", "out"}, folder.path()).status ==
          0);
  const ScratchFolder started;
  REQUIRE(start_variant(2, 9, started).status == 0);
  for (const char* name : {"README.md", "table.c", "table.txt"})
    CHECK(read_text(folder.path() / "out" / "nplab-labs" / "2-hiding-latency" / name) ==
          read_text(started.path() / name));
  CHECK_THAT(read_text(folder.path() / "out" / "nplab-labs" / "README.md"),
             Contains("nplab lab check 2 . --variant 9"));
  CHECK_FALSE(fs::exists(folder.path() / "out" / "nplab-labs" / "1-first-program"));
}

TEST_CASE("a pack of no such lab, or in no such folder, is refused and writes nothing",
          "[lab][variant]") {
  const ScratchFolder folder;
  const Outcome unknown = call_nplab({"lab", "pack", "labs.zip", "9"}, folder.path());
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Contains("no such lab; labs are 1 to 7"));
  CHECK_FALSE(fs::exists(folder.path() / "labs.zip"));
  CHECK(call_nplab({"lab", "pack", "no/labs.zip"}, folder.path()).status == 2);
}
