// nplab completion: completes commands, options and names in bash, zsh and fish.
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

constexpr const char* kZshTail = R"zsh(  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
    return
  fi
  if [[ $words[2] == explain ]]; then
    names=(${(f)"$($words[1] explain --names 2>/dev/null)"})
  else
    names=(${(f)"$($words[1] list 2>/dev/null | sed -n 's/^  \([^ ]*\).*/\1/p')"})
  fi
  (( $#below )) && _describe command below
  compadd -a names
  _files
}
_nplab "$@"
)zsh";
constexpr const char* kFishHead = R"(# fish completion of nplab
function __nplab_names
    if __fish_seen_subcommand_from explain
        nplab explain --names 2>/dev/null
    else
        nplab list 2>/dev/null | string replace -rf '^  ([^ ]+).*' '$1'
    end
end
complete -c nplab -n '__fish_seen_subcommand_from (__nplab_commands)' -a '(__nplab_names)'
)";

// The first clause of a description, without what a shell would read: completions show one line.
std::string short_text(const std::string& description) {
  std::string text = description.substr(0, description.find_first_of(";("));
  for (char& c : text)
    if (c == '\'' || c == '"' || c == '`' || c == '\\' || c == '$' || c == '\n' || c == '[' ||
        c == ']')
      c = ' ';
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

// NAME:TEXT, as zsh's _describe takes it.
std::string zsh_entry(std::string name, const std::string& description) {
  std::string text;
  for (const char c : short_text(description))
    text += c == ':' ? std::string("\\:") : std::string(1, c);
  return fmt::format(" '{}:{}'", name, text);
}

std::string zsh_options(const CLI::App& command) {
  std::string entries;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      entries += zsh_entry("--" + name, option->get_description());
  for (const CLI::App* below : command.get_subcommands({}))
    entries += zsh_options(*below);
  return entries;
}

std::string zsh_commands(const CLI::App& app) {
  std::string entries;
  for (const CLI::App* command : app.get_subcommands({}))
    entries += zsh_entry(command->get_name(), command->get_description());
  return entries;
}

std::string zsh_completion(const CLI::App& app) {
  std::string text = fmt::format(
      "#compdef nplab\n# zsh completion of nplab\n_nplab() {{\n  local -a commands below options "
      "names\n  commands=({} )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n"
      "    return\n  fi\n  case $words[2] in\n",
      zsh_commands(app));
  for (const CLI::App* command : app.get_subcommands({}))
    text += fmt::format("    {}) options=({} ) below=({} ) ;;\n", command->get_name(),
                        zsh_options(*command), zsh_commands(*command));
  return text + kZshTail;
}

// The options of a command, and the commands below it, with theirs.
std::string fish_lines(const CLI::App& command, const std::string& condition) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    const std::string described = short_text(option->get_description());
    for (const std::string& name : option->get_lnames())
      text += fmt::format("complete -c nplab -n '{}' -l {} -d '{}'\n", condition, name, described);
  }
  for (const CLI::App* below : command.get_subcommands({})) {
    text += fmt::format("complete -c nplab -n '{}' -a {} -d '{}'\n", condition, below->get_name(),
                        short_text(below->get_description()));
    text +=
        fish_lines(*below, condition + "; and __fish_seen_subcommand_from " + below->get_name());
  }
  return text;
}

std::string fish_completion(const CLI::App& app) {
  std::string names, lines;
  for (const CLI::App* command : app.get_subcommands({})) {
    names += " " + command->get_name();
    lines += fmt::format("complete -c nplab -f -n __fish_use_subcommand -a {} -d '{}'\n",
                         command->get_name(), short_text(command->get_description()));
    lines += fish_lines(*command, "__fish_seen_subcommand_from " + command->get_name());
  }
  return fmt::format("function __nplab_commands\n    string split ' ' -- '{}'\nend\n",
                     names.substr(1)) +
         kFishHead + lines;
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
  const auto add = [&](const char* shell, std::string (*script)(const CLI::App&)) {
    command->add_subcommand(shell, std::string("for ") + shell)->callback([&app, &status, script] {
      std::cout << script(app);
      status = kDone;
    });
  };
  add("bash", bash_completion);
  add("zsh", zsh_completion);
  add("fish", fish_completion);
}

}  // namespace nplab::tools
