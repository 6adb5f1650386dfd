// nplab explain and the shell completion.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// Says so, when a shell is not there to be tested with.
bool is_missing(const std::string& shell) {
  const bool missing = run_program("sh", {"-c", "command -v " + shell}).status != 0;
  if (missing)
    WARN("skipped: " << shell << " is not installed");
  return missing;
}

}  // namespace

TEST_CASE("explain tells what a figure means, its unit, its formula and what moves it",
          "[explain]") {
  const Outcome outcome = call_nplab({"explain", "aborted"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("aborted (state)") && Contains("taken branch") &&
                              Contains("unit") && Contains("formula") && Contains("moved by"));
  CHECK(call_nplab({"explain", "executing_pct"}).out == call_nplab({"explain", "Executing"}).out);
}

TEST_CASE("every row and column of a report's tables has an explanation", "[explain]") {
  const ScratchFolder folder;
  const Outcome run = call_nplab({"run", "bv1", "--packets", "100", "--quiet", "--csv", "-"});
  REQUIRE(run.status == 0);
  const Outcome names = call_nplab({"explain", "--names"});
  std::istringstream csv(run.out);
  std::string line;
  std::getline(csv, line);
  while (std::getline(csv, line)) {
    std::istringstream fields(line);
    std::string table, one, row, column;
    std::getline(fields, table, ',');
    std::getline(fields, one, ',');
    std::getline(fields, row, ',');
    std::getline(fields, column, ',');
    if (table == "lines" || table == "line_causes" || table == "aborted_by")
      continue;
    INFO(line);
    const std::string name = column == "value" ? row : column;
    CHECK_THAT("\n" + names.out, Contains("\n" + name.substr(0, name.find('.')) + "\n"));
  }
}

TEST_CASE("explain knows the instructions of the instruction set", "[explain]") {
  const Outcome outcome = call_nplab({"explain", "br=0"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("br=0 (instruction)") && Contains("class condition"));
  CHECK_THAT(outcome.out, Contains("nplab explain condition"));
  CHECK_THAT(call_nplab({"explain", "condition"}).out,
             Contains("branches on condition codes 2 or 3"));
  CHECK_THAT(call_nplab({"explain", "sram"}).out, Contains("unit: sram"));
  CHECK_THAT(call_nplab({"explain", "hash2_48"}).out, Contains("hash2_48 (instruction)"));
}

TEST_CASE("an unknown name is refused with the nearest known one", "[explain]") {
  const Outcome outcome = call_nplab({"explain", "abortd"});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains("did you mean 'aborted'?"));
}

TEST_CASE("bash completes commands, their options and listed names", "[explain]") {
  const auto complete = [](const std::string& words, int at) {
    const std::string script = "source <('" + nplab::program_path() +
                               "' completion bash); COMP_WORDS=('" + nplab::program_path() + "' " +
                               words + "); COMP_CWORD=" + std::to_string(at) +
                               "; _nplab; echo \"${COMPREPLY[@]}\"";
    const Outcome outcome = run_program("bash", {"-c", script});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  CHECK(complete("comp", 1) == "compare completion\n");
  CHECK(complete("run --l4", 2) == "--l4-key\n");
  CHECK(complete("run bv", 2) == "bv-best bv1 bv2\n");
  CHECK(complete("explain sent_per", 2) == "sent_per_received\n");
}

TEST_CASE("fish completes commands, their options and listed names", "[explain]") {
  if (is_missing("fish"))
    return;
  const auto complete = [](const std::string& line) {
    // The script calls `nplab` by its name.
    const fs::path folder = fs::path(nplab::program_path()).parent_path();
    const std::string script = "set -x PATH " + folder.string() +
                               " $PATH; nplab completion fish | source; complete -C '" + line +
                               "' | cut -f1";
    const Outcome outcome = run_program("fish", {"--no-config", "-c", script});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  CHECK(complete("nplab comp") == "compare\ncompletion\n");
  CHECK(complete("nplab run --l4") == "--l4-key\n");
  CHECK(complete("nplab run bv") == "bv1\nbv2\nbv-best\n");
  CHECK(complete("nplab store gc --dr") == "--dry-run\n");
}

TEST_CASE("zsh completes commands, their options and listed names", "[explain]") {
  if (is_missing("zsh"))
    return;
  // What zsh's completion system is given: functions of ours stand for it.
  const auto offered = [](const std::string& words, int current, const std::string& prefix) {
    const std::string script =
        "_describe() { shift $(( $# - 1 )); print -l -- ${(P)1} | sed 's/:.*//' }\n"
        "compadd() { print -l -- ${(P)2} }\n_files() { }\n"
        "words=('" +
        nplab::program_path() + "' " + words + "); CURRENT=" + std::to_string(current) +
        "; PREFIX='" + prefix + "'\neval \"$('" + nplab::program_path() + "' completion zsh)\"";
    const Outcome outcome = run_program("zsh", {"-f", "-c", script});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    return "\n" + outcome.out;
  };
  for (const char* command : {"\ncompare\n", "\nrun\n", "\nlab\n"})
    CHECK_THAT(offered("''", 2, ""), Contains(command));
  CHECK_THAT(offered("run --l4", 3, "--l4"), Contains("\n--l4-key\n"));
  CHECK_THAT(offered("run bv", 3, "bv"), Contains("\nbv1\n") && !Contains("--l4-key"));
  CHECK_THAT(offered("store g", 3, "g"), Contains("\ngc\n"));
}

TEST_CASE("a name like no other is refused with the nearest ten", "[explain]") {
  const Outcome outcome = call_nplab({"explain", "xyzzy"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("unknown name 'xyzzy'; the nearest: "));
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), ',') == 9);
}
