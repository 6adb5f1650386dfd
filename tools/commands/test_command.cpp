// nplab test: runs the test suite of the checkout that this program was built from.
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "experiments/prepare/data_directory.h"
#include "support/process.h"
#include "tools/commands/commands.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct TestOptions {
  std::string filter;
  bool full = false;
};

int test(const TestOptions& options) {
  const std::filesystem::path build = program_directory().parent_path();
  if (!std::filesystem::exists(build / "CTestTestfile.cmake")) {
    std::cerr << "nplab: error: the tests belong to a checkout; run ./nplab test there\n";
    return kBadInput;
  }
  std::vector<std::string> words{
      "ctest", "--test-dir", build.string(), "--output-on-failure", "--no-tests=error", "-j2"};
  if (!options.filter.empty())
    words.insert(words.end(), {"-R", options.filter});
  if (!options.full)
    words.insert(words.end(), {"-LE", "full"});
  Diagnostics diagnostics;
  const auto result = run_process(
      {.command = words, .out = ProcessOutput::inherited(), .err = ProcessOutput::inherited()},
      diagnostics);
  if (result)
    return result->end.shell_status();
  std::cerr << diagnostics.to_string() << "nplab: ctest comes with the package cmake\n";
  return kBadInput;
}

}  // namespace

void add_test_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("test", "Run the test suite");
  auto options = std::make_shared<TestOptions>();
  command->add_option("FILTER", options->filter,
                      "only suites whose name matches this regular expression");
  command->add_flag("--full", options->full, "add the long tier");
  command->footer(
      "Some tests read real rule sets and captures from the folder that NPLAB_SHARED "
      "names\n[../shared next to the checkout]. Without it they are skipped with a message.");
  command->callback([options, &status] { status = test(*options); });
}

}  // namespace nplab::tools
