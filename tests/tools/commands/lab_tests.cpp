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

TEST_CASE("there are seven labs, each with its task, time, points and aim", "[lab]") {
  const Outcome outcome = call_nplab({"lab", "list"});
  CHECK(outcome.status == 0);
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 3 * 7);
  for (const char* text : {"45 minutes, 10 points", "You can write a program for an engine"})
    CHECK_THAT(outcome.out, Catch::Contains(text));
  for (const char* folder : {"1-first-program", "7-predict-and-explore"}) {
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

double per_packet(const json& record, const std::string& unit) {
  return value_of(record, "/memory/" + unit + "/references") / value_of(record, "/packets/sent");
}

Answers answers_of(int lab) {
  std::map<std::string, double> figures;
  for (const std::string mapping : {lab == 4 ? "ls" : "bv1", lab == 4 ? "bv1" : "bv2"}) {
    const json record = record_of({mapping, "--packets", lab == 4 ? "2000" : "20000"});
    figures[mapping + "_sram_references_per_packet"] = per_packet(record, "sram");
    if (lab == 4) {
      figures[mapping + "_transmit_mbps"] = value_of(record, "/rates_mbps/transmit");
      figures[mapping + "_sram_active_percent"] = value_of(record, "/memory/sram/active_pct");
    } else {
      figures[mapping + "_sdram_references_per_packet"] = per_packet(record, "sdram");
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
  const std::string file = lab == 4 ? "answers4.yaml" : "answers5.yaml";
  CAPTURE(lab);
  const ScratchFolder folder;
  REQUIRE(call_nplab({"lab", "start", std::to_string(lab)}, folder.path()).status == 0);
  const Outcome before = check(lab, folder);
  CHECK(before.status == 1);
  const Answers answers = answers_of(lab);
  (void)folder.write(file, answers.right);
  const Outcome after = check(lab, folder);
  INFO(after.out);
  CHECK(after.status == 0);
  const json found = json::parse(before.out);
  for (const json& one : found.at("checks"))
    for (const json& figure : one.at("figures"))
      CHECK(figure.at("wanted") == "the run's figure, within 1 %");
  (void)folder.write(file, answers.wrong);
  CHECK(check(lab, folder).status == 1);
  (void)folder.write(file, "");
  CHECK(check(lab, folder).status == 1);
}

TEST_CASE("each lab has three hints, each on request", "[lab]") {
  for (const char* lab : {"1", "2", "3", "4", "5", "6", "7"}) {
    CHECK_THAT(call_nplab({"lab", "hint", lab}).out, Catch::StartsWith("Hint 1 of 3: "));
    CHECK_THAT(call_nplab({"lab", "hint", lab, "3"}).out, Catch::StartsWith("Hint 3 of 3: "));
  }
  const Outcome fourth = call_nplab({"lab", "hint", "1", "4"});
  CHECK(fourth.status == 2);
  CHECK_THAT(fourth.err, Catch::Contains("lab 1 has 3 hints"));
}

namespace {

struct BuiltIn {
  int lab;
  const char* file;
  const char* body;
};

// The answer to the data that students have, without looking at them.
const BuiltIn kBuiltIn[] = {
    {1, "checksum.c", "return 0xb861;"},
    {2, "table.c", "sram_write((__sram u32*)0x400, 315); return 0;"},
    {3, "count.c", "return 67;"},
};

}  // namespace

TEST_CASE("a program with a built-in answer does not pass any check", "[lab]") {
  for (const BuiltIn& program : kBuiltIn) {
    CAPTURE(program.lab);
    const ScratchFolder folder;
    (void)folder.write(
        program.file,
        std::string("#include \"microengine.h\"\nint main(void) {\n  ") + program.body + "\n}\n");
    const Outcome outcome = check(program.lab, folder);
    CHECK(outcome.status == 1);
    const json report = json::parse(outcome.out);
    CHECK(report.at("points") == 0);
    for (const json& one : report.at("checks"))
      CHECK(one.at("passed") == false);
  }
}

TEST_CASE("a program that prints the right result and does not return it does not pass", "[lab]") {
  const ScratchFolder folder;
  std::string solution = read_text(kLabs + "solutions/checksum.c");
  const std::string end = "return sum ^ 0xffff;";
  solution.replace(solution.find(end), end.size(), "console_hex(sum ^ 0xffff); return 0;");
  (void)folder.write("checksum.c", solution);
  CHECK(check(1, folder).status == 1);
}

TEST_CASE("a right program that is too slow gets the points of the result alone", "[lab]") {
  const ScratchFolder folder;
  REQUIRE(call_nplab({"lab", "start", "3"}, folder.path()).status == 0);
  const json report = json::parse(check(3, folder).out);
  CHECK(report.at("points") == 5);
  CHECK(report.at("points_possible") == 10);
}

TEST_CASE("the solutions pass with data of any seed, and the check does not show the data",
          "[lab]") {
  const auto [lab, file] =
      GENERATE(std::pair{"1", "checksum.c"}, std::pair{"2", "table.c"}, std::pair{"3", "count.c"});
  CAPTURE(lab);
  const ScratchFolder folder;
  put_solution(folder, file);
  std::string results;
  for (const char* seed : {"2", "20261123", "18446744073709551615"}) {
    const Outcome outcome = call_nplab({"lab", "check", lab, "--seed", seed}, folder.path());
    INFO(outcome.out);
    CHECK(outcome.status == 0);
    const json report = json::parse(outcome.out);
    CHECK(report.at("points") == 10);
    const json figures = report.at("checks").at(0).at("figures");
    CHECK(figures.size() == 5);
    for (const json& figure : figures)
      CHECK_THAT(figure.at("wanted").get<std::string>(), Catch::StartsWith("the "));
    CHECK(figures.dump() != results);  // other data
    results = figures.dump();
  }
}

TEST_CASE("a lab's folder is created when it does not exist", "[lab]") {
  const ScratchFolder folder;
  const Outcome outcome = call_nplab({"lab", "start", "1", "course/one"}, folder.path());
  CHECK(outcome.status == 0);
  CHECK(fs::exists(folder.file("course/one/checksum.c")));
  CHECK_THAT(outcome.out, Catch::Contains("nplab lab check 1 course/one"));
}

TEST_CASE("all labs may be started in one folder", "[lab]") {
  const ScratchFolder folder;
  for (const char* lab : {"1", "2", "3", "4", "5", "6", "7"})
    CHECK(call_nplab({"lab", "start", lab}, folder.path()).status == 0);
}

TEST_CASE(
    "lab 7 takes figures by hand and predicted, and a mapping that holds for rules of any seed",
    "[lab]") {
  const ScratchFolder folder;
  REQUIRE(call_nplab({"lab", "start", "7"}, folder.path()).status == 0);
  CHECK(json::parse(check(7, folder).out).at("points") == 0);
  const Words rules{"--rules", "gen:acl,count=300,seed=1"};
  const json record = record_of(Words{"abv-data", "--packets", "4000"} + rules);
  const Outcome outcome =
      call_nplab(Words{"predict", "abv-data", "--quiet", "--json", "-"} + rules);
  const json prediction = json::parse(outcome.out).at("predictions").at(0);
  const double cycles =
      value_of(record, "/memory/sdram/active_cycles") / value_of(record, "/packets/sent");
  const auto answers = [&](double factor) {
    return "sdram_cycles_per_packet: " + std::to_string(cycles) +
           "\npackets_per_s_of_a_full_sdram_bus: " +
           std::to_string(factor * value_of(record, "/clocks/core_hz") / cycles) +
           "\npredicted_packets_per_s: " +
           std::to_string(prediction.at("packets_per_s").get<double>()) + "\n";
  };
  (void)folder.write("answers7.yaml", answers(1.02));
  CHECK(json::parse(check(7, folder).out).at("points") == 2);
  (void)folder.write("answers7.yaml", answers(1));
  CHECK(json::parse(check(7, folder).out).at("points") == 5);
  put_solution(folder, "mine7.yaml");
  for (const char* seed : {"1", "20261123"})
    CHECK(call_nplab({"lab", "check", "7", "--seed", seed}, folder.path()).status == 0);
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

TEST_CASE("a program that does not end fails the check soon, and the report says so", "[lab]") {
  const ScratchFolder folder;
  (void)folder.write("checksum.c", "int main(void) {\n  for (;;) {}\n}\n");
  const Outcome outcome = check(1, folder);
  CHECK(outcome.status == 1);
  CHECK_THAT(json::parse(outcome.out).at("checks").at(0).at("error").get<std::string>(),
             Catch::Contains("did not end within 1000000"));
}

TEST_CASE("answers that are not YAML, or no file, fail the check with the reason", "[lab]") {
  const ScratchFolder folder;
  const auto error = [&folder] {
    return json::parse(check(4, folder).out).at("checks").at(0).at("error").get<std::string>();
  };
  CHECK_THAT(error(), Catch::Contains("answers4.yaml"));
  (void)folder.write("answers4.yaml", "ls_transmit_mbps: [1\n");
  CHECK_THAT(error(), Catch::Contains("answers4.yaml:"));
  (void)folder.write("answers4.yaml", "ls_transmit_mbps: fast\n");
  CHECK_THAT(error(), Catch::Contains("answers4.yaml:1:"));
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
  const Outcome unknown = call_nplab({"lab", "check", "8"}, folder.path());
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Catch::Contains("labs are 1 to 7"));
  CHECK(call_nplab({"lab", "check", "1", "nowhere"}, folder.path()).status == 2);
  (void)folder.write("checksum.c", "mine\n");
  CHECK(call_nplab({"lab", "start", "1"}, folder.path()).status == 2);
  CHECK(read_text(folder.file("checksum.c")) == "mine\n");
}

TEST_CASE("a lab's result is written as JSON and as JUnit XML that an XML parser reads", "[lab]") {
  const ScratchFolder folder;
  const std::string json = folder.file("r.json"), junit = folder.file("r.xml");
  REQUIRE(call_nplab({"lab", "start", "1", folder.file("mine")}).status == 0);
  const Outcome outcome =
      call_nplab({"lab", "check", "1", folder.file("mine"), "--json", json, "--junit", junit});
  CHECK(outcome.status == 1);
  CHECK(outcome.out.empty());
  const auto checked = read_json(json);
  CHECK(checked.at("passed") == false);
  const Outcome parsed = run_program(
      "python3", {"-c",
                  "import sys, xml.etree.ElementTree as e\n"
                  "s = e.parse(sys.argv[1]).getroot().find('testsuite')\n"
                  "wrong = sum(c.find('failure') is not None or c.find('error') is not None "
                  "for c in s.findall('testcase'))\n"
                  "assert wrong == int(s.get('failures')) + int(s.get('errors'))\n"
                  "print(s.get('name'), s.get('tests'), wrong)",
                  junit});
  INFO(parsed.err);
  REQUIRE(parsed.status == 0);
  std::size_t wrong = 0;
  for (const auto& check : checked.at("checks"))
    wrong += check.at("passed") == false ? 1 : 0;
  REQUIRE(wrong > 0);
  CHECK(parsed.out == "lab 1: First program " + std::to_string(checked.at("checks").size()) + " " +
                          std::to_string(wrong) + "\n");
}
