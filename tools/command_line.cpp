#include "tools/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>

#include "support/near_miss.h"
#include "tools/learning_commands.h"
#include "tools/version.gen.h"

namespace nplab::tools {
namespace {

constexpr const char* kFooter = R"(Start with
  nplab compare ls bv1 bv2 --published    the published IXP1200 experiment, ours beside the printed figures
  nplab list                              what can be run
  nplab show bv1                          what a mapping becomes: stages, queues, memory map
Exit status: 0 done and every check held; 1 a check failed; 2 bad input or usage; 3 the simulated program failed.
Documentation: README.md and docs/.)";

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{"nplab: a laboratory for network-processor programs", "nplab"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("nplab ") + kVersion + " (" + kCommit + ")");
  app.get_formatter()->column_width(34);

  int status = kDone;
  add_run_command(app, status);
  add_compare_command(app, status);
  add_check_command(app, status);
  add_show_command(app, status);
  add_list_command(app, status);
  add_report_command(app, status);
  add_annotate_command(app, status);
  add_diff_command(app, status);
  add_trace_command(app, status);
  add_explain_command(app, status);
  add_lab_command(app, status);
  add_cc_command(app, status);
  add_as_command(app, status);
  add_objdump_command(app, status);
  add_exec_command(app, status);
  add_new_command(app, status);
  add_study_command(app, status);
  add_bench_command(app, status);
  add_soak_command(app, status);
  add_rules_command(app, status);
  add_traffic_command(app, status);
  add_test_command(app, status);
  add_completion_command(app, status);
  add_man_command(app, status);
  app.footer(kFooter);  // behind the commands, which would take it over

  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end()) {
    std::cerr << "nplab: error: there is no command '" << argv[1] << "'; " << suggestion(argv[1], names) << '\n';
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kBadInput;
  } catch (const std::exception& problem) {
    std::cerr << "nplab: error: " << problem.what() << '\n';
    return kBadInput;
  }
  return status;
}

}  // namespace nplab::tools
