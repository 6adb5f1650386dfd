// Commands for those who learn the chip and the command line. As those of tools/command_line.h, each adds its
// subcommand to `app`; carrying it out sets `status`.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace nplab::tools {

void add_completion_command(CLI::App& app, int& status);
void add_explain_command(CLI::App& app, int& status);
void add_lab_command(CLI::App& app, int& status);
void add_man_command(CLI::App& app, int& status);

}  // namespace nplab::tools
