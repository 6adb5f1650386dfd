// The nplab command line: one subcommand a call of the tool, each in a file of its own.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace nplab::tools {

// Parses and carries out one call. Returns the process's exit status: 0 done and every check held; 1 a check failed;
// 2 bad input or usage; 3 the simulated program failed.
int run_command_line(int argc, char** argv);

inline constexpr int kDone = 0;
inline constexpr int kCheckFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kProgramFailed = 3;

// Each adds its subcommand to `app`; carrying it out sets `status`.
void add_run_command(CLI::App& app, int& status);
void add_compare_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_show_command(CLI::App& app, int& status);
void add_list_command(CLI::App& app, int& status);
void add_report_command(CLI::App& app, int& status);
void add_annotate_command(CLI::App& app, int& status);
void add_diff_command(CLI::App& app, int& status);
void add_trace_command(CLI::App& app, int& status);
void add_cc_command(CLI::App& app, int& status);
void add_as_command(CLI::App& app, int& status);
void add_objdump_command(CLI::App& app, int& status);
void add_exec_command(CLI::App& app, int& status);
void add_new_command(CLI::App& app, int& status);
void add_study_command(CLI::App& app, int& status);
void add_bench_command(CLI::App& app, int& status);
void add_soak_command(CLI::App& app, int& status);
void add_rules_command(CLI::App& app, int& status);
void add_traffic_command(CLI::App& app, int& status);
void add_test_command(CLI::App& app, int& status);

}  // namespace nplab::tools
