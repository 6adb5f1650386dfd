// The subcommands of nplab, a file each, and the exit statuses that they share.
#pragma once

#include "reports/record/run_record.h"

namespace CLI {
class App;
}  // namespace CLI

namespace nplab::tools {

inline constexpr int kDone = 0;
inline constexpr int kCheckFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kProgramFailed = 3;

// The exit status that a run with this record calls for.
int status_of(const reports::RunRecord& record);

// Each adds its subcommand to `app`; running it sets `status`.
void add_run_command(CLI::App& app, int& status);
void add_compare_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_show_command(CLI::App& app, int& status);
void add_list_command(CLI::App& app, int& status);
void add_cache_command(CLI::App& app, int& status);
void add_store_command(CLI::App& app, int& status);
void add_report_command(CLI::App& app, int& status);
void add_annotate_command(CLI::App& app, int& status);
void add_diff_command(CLI::App& app, int& status);
void add_trace_command(CLI::App& app, int& status);
void add_debug_command(CLI::App& app, int& status);
void add_view_command(CLI::App& app, int& status);
void add_cc_command(CLI::App& app, int& status);
void add_as_command(CLI::App& app, int& status);
void add_objdump_command(CLI::App& app, int& status);
void add_exec_command(CLI::App& app, int& status);
void add_new_command(CLI::App& app, int& status);
void add_study_command(CLI::App& app, int& status);
void add_explore_command(CLI::App& app, int& status);
void add_bench_command(CLI::App& app, int& status);
void add_soak_command(CLI::App& app, int& status);
void add_predict_command(CLI::App& app, int& status);
void add_rules_command(CLI::App& app, int& status);
void add_traffic_command(CLI::App& app, int& status);
void add_test_command(CLI::App& app, int& status);
void add_completion_command(CLI::App& app, int& status);
void add_explain_command(CLI::App& app, int& status);
void add_schema_command(CLI::App& app, int& status);
void add_match_command(CLI::App& app, int& status);
void add_lab_command(CLI::App& app, int& status);
void add_man_command(CLI::App& app, int& status);

}  // namespace nplab::tools
