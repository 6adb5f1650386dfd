// nplab man: the manual page, from the same texts as --help, so that it says neither more nor less.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <string>

#include "experiments/prepare/program_identity.h"
#include "tools/commands/commands.h"

namespace nplab::tools {

using namespace experiments;
namespace {

// Text as troff takes it: nothing in it is a request or an escape, and a hyphen may be typed as it
// is read.
std::string troff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool begins_line = result.empty() || result.back() == '\n';
    if (begins_line && (c == '.' || c == '\''))
      result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

// An entry of a list: what it is, in bold, and what it does.
std::string entry(const std::string& name, const std::string& value, const std::string& text) {
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", troff(name), troff(value), troff(text));
}

std::string option_entries(const CLI::App& command) {
  const CLI::Formatter formatter;
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty() || option->check_name("--help"))
      continue;
    const std::string name = option->get_name(option->get_positional(), true);
    text += entry(name, formatter.make_option_opts(option), option->get_description());
  }
  return text;
}

// The section of a command, and those of the commands below it.
std::string section(const CLI::App& command, const std::string& name) {
  std::string text = fmt::format(".SS {}\n{}.\n", troff(name), troff(command.get_description()));
  text += option_entries(command);
  if (!command.get_footer().empty())
    text += ".PP\n" + troff(command.get_footer()) + "\n";
  for (const CLI::App* below : command.get_subcommands({}))
    text += section(*below, name + " " + below->get_name());
  return text;
}

std::string manual_page(const CLI::App& app) {
  const std::string description = app.get_description();
  std::string text = fmt::format(
      ".TH NPLAB 1 \"\" \"nplab {}\" \"User Commands\"\n.SH NAME\nnplab \\- {}\n",
      troff(program_identity().version), troff(description.substr(description.find(' ') + 1)));
  text +=
      ".SH SYNOPSIS\n.B nplab\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n.PP\n.B "
      "nplab\n[\\fICOMMAND\\fR] "
      "\\fB\\-\\-help\\fR\n.SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({}))
    text += section(*command, command->get_name());
  text += ".SH NOTES\n.nf\n" + troff(app.get_footer()) + "\n.fi\n";
  return text;
}

}  // namespace

void add_man_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("man", "Print the manual page, for man: nplab man | man -l -");
  command->callback([&app, &status] {
    std::cout << manual_page(app);
    status = kDone;
  });
}

}  // namespace nplab::tools
