// nplab completion: completes commands, options and names in a shell.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <string>

#include "tools/commands/commands.h"

namespace nplab::tools {
namespace {

// Options are those of the command tree as it stands; names of mappings, chips and workloads are
// asked for when completing.
constexpr const char* kBashHead =
    R"(# bash completion of nplab; to use it: source <(nplab completion bash)
_nplab() {
  local current=${COMP_WORDS[COMP_CWORD]} options= names=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "$_nplab_commands --help --version" -- "$current"))
    return
  fi
  case ${COMP_WORDS[1]} in
)";
constexpr const char* kBashTail = R"(  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")); return ;;
  esac
  case ${COMP_WORDS[1]} in
    explain) names=$("${COMP_WORDS[0]}" explain --names 2>/dev/null) ;;
    *) names=$("${COMP_WORDS[0]}" list 2>/dev/null | sed -n 's/^  \([^ ]*\).*/\1/p') ;;
  esac
  COMPREPLY=($(compgen -W "$names" -- "$current") $(compgen -f -- "$current"))
}
complete -o filenames -F _nplab nplab ./nplab
)";

std::string option_names(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names += " --" + name;
    for (const std::string& name : option->get_snames())
      names += " -" + name;
  }
  for (const CLI::App* below : command.get_subcommands({}))
    names += " " + below->get_name() + " " + option_names(*below);
  return names.empty() ? "" : names.substr(1);
}

std::string bash_completion(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    cases += fmt::format("    {}) options='{}' ;;\n", command->get_name(), option_names(*command));
  }
  return fmt::format("_nplab_commands='{}'\n", commands) + kBashHead + cases + kBashTail;
}

}  // namespace

void add_completion_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "completion", "Print a completion script for a shell: source <(nplab completion bash)");
  command->require_subcommand(1);
  auto* bash = command->add_subcommand("bash", "for bash");
  bash->callback([&app, &status] {
    std::cout << bash_completion(app);
    status = kDone;
  });
}

}  // namespace nplab::tools
