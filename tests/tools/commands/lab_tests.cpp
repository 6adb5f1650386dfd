// The labs as a student meets them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using nlohmann::json;

namespace {

const std::string kLabs = nplab::source_path("docs/labs/");

Outcome check(int lab, const ScratchFolder& folder) {
  return call_nplab({"lab", "check", std::to_string(lab)}, folder.path());
}

void put_solution(const ScratchFolder& folder, const std::string& name) {
  fs::copy_file(kLabs + "solutions/" + name, folder.path() / name,
                fs::copy_options::overwrite_existing);
}

}  // namespace

TEST_CASE("there are six labs, each with its task beside it", "[lab]") {
  const Outcome outcome = call_nplab({"lab", "list"});
  CHECK(outcome.status == 0);
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 6);
  for (const char* folder : {"1-first-program", "6-under-a-budget"}) {
    CHECK_THAT(outcome.out, Catch::Contains(std::string(folder) + "/README.md"));
    CHECK(fs::exists(kLabs + folder + "/README.md"));
  }
}

TEST_CASE("a lab's starting files do not pass its check, and its solution does", "[lab]") {
  const auto [lab, file] = GENERATE(std::pair{1, "checksum.c"}, std::pair{2, "table.c"},
                                    std::pair{3, "count.c"}, std::pair{6, "mine.yaml"});
  CAPTURE(lab);
  const ScratchFolder folder;
  REQUIRE(call_nplab({"lab", "start", std::to_string(lab)}, folder.path()).status == 0);
  const Outcome before = check(lab, folder);
  CHECK(before.status == 1);
  const json report = json::parse(before.out);
  CHECK(report.at("schema") == "nplab.lab/1");
  CHECK(report.at("lab") == lab);
  CHECK(report.at("passed") == false);
  put_solution(folder, file);
  const Outcome after = check(lab, folder);
  INFO(after.out);
  CHECK(after.status == 0);
  CHECK(json::parse(after.out).at("passed") == true);
}

namespace {

// A lab that asks for figures of runs: the file of its right answers, and one that is off by more
// than its 1 %.
struct Answers {
  std::string right;
  std::string wrong;
};

double value_of(const json& record, const std::string& pointer) {
  return record.at(json::json_pointer(pointer)).get<double>();
}

double a_packet(const json& record, const std::string& unit) {
  return value_of(record, "/memory/" + unit + "/references") / value_of(record, "/packets/sent");
}

Answers answers_of(int lab) {
  std::map<std::string, double> figures;
  for (const std::string mapping : {lab == 4 ? "ls" : "bv1", lab == 4 ? "bv1" : "bv2"}) {
    const json record = record_of({mapping, "--packets", "2000"});
    figures[mapping + "_sram_references_a_packet"] = a_packet(record, "sram");
    if (lab == 4) {
      figures[mapping + "_transmit_mbps"] = value_of(record, "/rates_mbps/transmit");
      figures[mapping + "_sram_active_percent"] = value_of(record, "/memory/sram/active_pct");
    } else {
      figures[mapping + "_sdram_references_a_packet"] = a_packet(record, "sdram");
      figures[mapping + "_median_latency_cycles"] = value_of(record, "/latency_cycles/p50");
    }
  }
  Answers answers;
  for (const auto& [name, figure] : figures) {
    const bool is_last = name == figures.rbegin()->first;
    answers.right += name + ": " + std::to_string(figure * 1.005) + "\n";
    answers.wrong += name + ": " + std::to_string(figure * (is_last ? 1.02 : 1)) + "\n";
  }
  return answers;
}

}  // namespace

TEST_CASE("answers pass when they are the runs' figures, and the check does not give them away",
          "[lab]") {
  const int lab = GENERATE(4, 5);
  CAPTURE(lab);
  const ScratchFolder folder;
  REQUIRE(call_nplab({"lab", "start", std::to_string(lab)}, folder.path()).status == 0);
  const Outcome before = check(lab, folder);
  CHECK(before.status == 1);
  const Answers answers = answers_of(lab);
  (void)folder.write("answers.yaml", answers.right);
  const Outcome after = check(lab, folder);
  INFO(after.out);
  CHECK(after.status == 0);
  const json found = json::parse(before.out);
  for (const json& one : found.at("checks"))
    for (const json& figure : one.at("figures"))
      CHECK(figure.at("wanted") == "the run's figure, within 1 %");
  (void)folder.write("answers.yaml", answers.wrong);
  CHECK(check(lab, folder).status == 1);
  (void)folder.write("answers.yaml", "");
  CHECK(check(lab, folder).status == 1);
}

TEST_CASE("a program that prints the wanted figure without computing it does not pass", "[lab]") {
  struct Cheat {
    int lab;
    const char* file;
    const char* body;
  };
  const Cheat cheat = GENERATE(Cheat{1, "checksum.c", "console_hex(0xb861);"},
                               Cheat{2, "table.c", "if (ctx() == 0) console_hex(0x13b);"},
                               Cheat{3, "count.c", "console_hex(0x43);"});
  CAPTURE(cheat.lab);
  const ScratchFolder folder;
  (void)folder.write(cheat.file, std::string("#include \"microengine.h\"\nint main(void) {\n  ") +
                                     cheat.body + "\n  return 0;\n}\n");
  const Outcome outcome = check(cheat.lab, folder);
  CHECK(outcome.status == 1);
  const json checks = json::parse(outcome.out).at("checks");
  CHECK(checks.at(0).at("passed") == true);
  CHECK(checks.at(1).at("passed") == false);
}

TEST_CASE("a mapping that is faster by another chip does not pass", "[lab]") {
  const ScratchFolder folder;
  std::string mapping = read_text(kLabs + "solutions/mine.yaml");
  const std::string chip = "chip: ixp1200\n";
  mapping.replace(mapping.find(chip), chip.size(), "chip: ixp1200-232\n");
  (void)folder.write("mine.yaml", mapping);
  const Outcome outcome = check(6, folder);
  CHECK(outcome.status == 1);
  for (const json& one : json::parse(outcome.out).at("checks")) {
    INFO(one);
    CHECK(one.at("passed") ==
          (one.at("name") != "the chip and the workload are those of the task"));
  }
}

TEST_CASE("a program that does not end fails the check soon, and is told so", "[lab]") {
  const ScratchFolder folder;
  (void)folder.write("checksum.c", "int main(void) {\n  for (;;) {}\n}\n");
  const Outcome outcome = check(1, folder);
  CHECK(outcome.status == 1);
  CHECK_THAT(json::parse(outcome.out).at("checks").at(0).at("error").get<std::string>(),
             Catch::Contains("did not end within 1000000"));
}

TEST_CASE("answers that are no YAML, or no file, fail the check with the reason", "[lab]") {
  const ScratchFolder folder;
  const auto error = [&folder] {
    return json::parse(check(4, folder).out).at("checks").at(0).at("error").get<std::string>();
  };
  CHECK_THAT(error(), Catch::Contains("answers.yaml"));
  (void)folder.write("answers.yaml", "ls_transmit_mbps: [1\n");
  CHECK_THAT(error(), Catch::Contains("answers.yaml:"));
  (void)folder.write("answers.yaml", "ls_transmit_mbps: fast\n");
  CHECK_THAT(error(), Catch::Contains("answers.yaml:1:"));
}

TEST_CASE("a program that does not compile fails the check with the compiler's words", "[lab]") {
  const ScratchFolder folder;
  (void)folder.write("checksum.c", "int main(void) { return x; }\n");
  const Outcome outcome = check(1, folder);
  CHECK(outcome.status == 1);
  CHECK_THAT(json::parse(outcome.out).at("checks").at(0).at("error").get<std::string>(),
             Catch::Contains("checksum.c:1"));
}

TEST_CASE("an unknown lab, a folder that is not there and files that would be lost are refused",
          "[lab]") {
  const ScratchFolder folder;
  const Outcome unknown = call_nplab({"lab", "check", "7"}, folder.path());
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Catch::Contains("labs are 1 to 6"));
  CHECK(call_nplab({"lab", "check", "1", "nowhere"}, folder.path()).status == 2);
  (void)folder.write("checksum.c", "mine\n");
  CHECK(call_nplab({"lab", "start", "1"}, folder.path()).status == 2);
  CHECK(read_text(folder.file("checksum.c")) == "mine\n");
}
