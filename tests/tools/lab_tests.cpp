// The labs as a student meets them.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/command.h"

using namespace nplab::tools::testing;
using nlohmann::json;

namespace {

const std::string kLabs = NPLAB_SOURCE_DIR "/docs/labs/";

Outcome check(int lab, const ScratchFolder& folder) {
  return call_nplab({"lab", "check", std::to_string(lab)}, folder.path());
}

void put_solution(const ScratchFolder& folder, const std::string& name) {
  fs::copy_file(kLabs + "solutions/" + name, folder.path() / name, fs::copy_options::overwrite_existing);
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
  const auto [lab, file] = GENERATE(std::pair{1, "checksum.c"}, std::pair{2, "table.c"}, std::pair{3, "count.c"}, std::pair{6, "mine.yaml"});
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

TEST_CASE("answers pass when they are the run's figures, and the check does not give them away", "[lab]") {
  const ScratchFolder folder;
  REQUIRE(call_nplab({"lab", "start", "5"}, folder.path()).status == 0);
  const Outcome before = check(5, folder);
  CHECK(before.status == 1);
  std::string answers;
  for (const char* mapping : {"bv1", "bv2"}) {
    const json record = record_of({mapping, "--packets", "2000"});
    const double sent = record.at("packets").at("sent");
    const std::string name = mapping;
    const auto references = [&](const char* unit) { return record.at("memory").at(unit).at("references").get<double>(); };
    answers += name + "_sram_references_a_packet: " + std::to_string(references("sram") / sent) + "\n";
    answers += name + "_sdram_references_a_packet: " + std::to_string(references("sdram") / sent) + "\n";
    const std::string latency = record.at("latency_cycles").at("p50").dump();
    CHECK(before.out.find(latency) == std::string::npos);
    answers += name + "_median_latency_cycles: " + latency + "\n";
  }
  (void)folder.write("answers.yaml", answers);
  const Outcome after = check(5, folder);
  INFO(after.out);
  CHECK(after.status == 0);
  (void)folder.write("answers.yaml", answers.substr(0, answers.rfind("bv2_median")) + "bv2_median_latency_cycles: 1\n");
  CHECK(check(5, folder).status == 1);
}

TEST_CASE("a program that does not compile fails the check with the compiler's words", "[lab]") {
  const ScratchFolder folder;
  (void)folder.write("checksum.c", "int main(void) { return x; }\n");
  const Outcome outcome = check(1, folder);
  CHECK(outcome.status == 1);
  CHECK_THAT(json::parse(outcome.out).at("checks").at(0).at("error").get<std::string>(), Catch::Contains("checksum.c:1"));
}

TEST_CASE("an unknown lab, a folder that is not there and files that would be lost are refused", "[lab]") {
  const ScratchFolder folder;
  const Outcome unknown = call_nplab({"lab", "check", "7"}, folder.path());
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Catch::Contains("labs are 1 to 6"));
  CHECK(call_nplab({"lab", "check", "1", "nowhere"}, folder.path()).status == 2);
  (void)folder.write("checksum.c", "mine\n");
  CHECK(call_nplab({"lab", "start", "1"}, folder.path()).status == 2);
  CHECK(read_text(folder.file("checksum.c")) == "mine\n");
}
