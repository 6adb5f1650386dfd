#include "tools/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <exception>
#include <iostream>
#include <optional>

#include "experiments/prepare/program_identity.h"
#include "support/near_miss.h"
#include "tools/commands/commands.h"
#include "tools/output/output_file.h"

namespace nplab::tools {

using namespace experiments;
namespace {

constexpr const char* kFooter = R"(Start with
  nplab compare ls bv1 bv2 --published    the published IXP1200 experiment, our figures next to the printed ones
  nplab list                              what can be run
  nplab show bv1                          what a mapping becomes: stages, queues, memory map
Exit status: 0 done and every check held; 1 a check failed; 2 bad input or usage; 3 the simulated program failed.
Documentation: README.md and docs/.)";

std::string version_text() {
  const ProgramIdentity& program = program_identity();
  return fmt::format("nplab {} (commit {}, build {})", program.version, program.commit,
                     program.build_id);
}

std::string wrong_number(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size()
             ? ""
             : "expected an integer, found '" + text + "'";
}

// Where --help says N (or, by itself, UINT) a whole number stands. The parser's own conversion
// takes -5 for 2^64 - 5, and too many digits for the largest number.
void require_whole_numbers(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    const std::string type = option->get_type_name();
    const std::string word = type.substr(0, type.find(':'));
    if (word == "N" || word == "UINT")
      option->check(CLI::Validator(wrong_number, ""));
  }
  for (CLI::App* below : command.get_subcommands({}))
    require_whole_numbers(*below);
}

// The command's words, as far as they are, when the word after them ought to be a command below
// and is none.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  std::string words;
  for (int i = 1; i < argc && argv[i][0] != '-' && command->get_require_subcommand_min() > 0; ++i) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* below : command->get_subcommands({})) {
      names.push_back(below->get_name());
      if (names.back() == argv[i])
        next = below;
    }
    if (next == nullptr)
      return fmt::format("unknown command '{}{}'; {}", words, argv[i], suggestion(argv[i], names));
    command = next;
    words += std::string(argv[i]) + " ";
  }
  return std::nullopt;
}

// A single letter stands for the options that begin with it.
std::string option_suggestion(std::string_view option, const std::vector<std::string>& known) {
  const std::string_view word =
      option.substr(std::min(option.find_first_not_of('-'), option.size()));
  std::vector<std::string> begun;
  for (const std::string& name : known)
    if (word.size() == 1 && name.starts_with(word))
      begun.push_back("'--" + name + "'");
  if (!begun.empty())
    return fmt::format("did you mean {}?", fmt::join(begun, " or "));
  return suggestion(word.substr(0, word.find('=')), known, "--");
}

// The words of a command that it does not take: of options, with the nearest one that there is.
std::string unexpected_words(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string name = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : command->get_options())
    for (const std::string& long_name : option->get_lnames())
      known.push_back(long_name);
  const std::vector<std::string> words = app.remaining(true);
  const auto option = std::find_if(words.begin(), words.end(),
                                   [](const auto& word) { return word.starts_with('-'); });
  if (option != words.end())
    return fmt::format("'{}' has no option '{}'; {}", name, *option,
                       option_suggestion(*option, known));
  return fmt::format("'{}' takes no further argument '{}'; see '{} --help'", name, words.front(),
                     name);
}

int carry_out(int argc, char** argv) {
  CLI::App app{"nplab: a laboratory for network-processor programs", "nplab"};
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text());
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
  add_debug_command(app, status);
  add_view_command(app, status);
  add_explain_command(app, status);
  add_schema_command(app, status);
  add_match_command(app, status);
  add_lab_command(app, status);
  add_cc_command(app, status);
  add_as_command(app, status);
  add_objdump_command(app, status);
  add_exec_command(app, status);
  add_new_command(app, status);
  add_study_command(app, status);
  add_explore_command(app, status);
  add_bench_command(app, status);
  add_soak_command(app, status);
  add_predict_command(app, status);
  add_rules_command(app, status);
  add_traffic_command(app, status);
  add_cache_command(app, status);
  add_store_command(app, status);
  add_test_command(app, status);
  add_completion_command(app, status);
  add_man_command(app, status);
  app.footer(kFooter);  // after the commands, which would take it over

  require_whole_numbers(app);
  if (const auto problem = unknown_command(app, argc, argv)) {
    std::cerr << "nplab: error: " << *problem << '\n';
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    std::cerr << "nplab: error: " << unexpected_words(app) << '\n';
    return kBadInput;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kBadInput;
  } catch (const std::exception& problem) {
    std::cerr << "nplab: error: " << problem.what() << '\n';
    return kBadInput;
  }
  return status;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  const int status = carry_out(argc, argv);
  return is_output_written() ? status : std::max<int>(status, kBadInput);
}

}  // namespace nplab::tools
