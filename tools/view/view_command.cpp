// nplab view: a run in a browser, forwards and backwards.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>
#include <memory>

#include "tools/commands/commands.h"
#include "tools/debug_adapter/debug_options.h"
#include "tools/debug_adapter/loopback_port.h"
#include "tools/view/page_server.h"
#include "tools/view/session_process.h"

namespace nplab::tools {
namespace {

struct ViewWords {
  std::uint16_t port = 0;
  DebugOptions options;
};

int refuse(const Diagnostics& diagnostics) {
  std::cerr << diagnostics.to_string();
  return kBadInput;
}

int view(const ViewWords& words) {
  std::signal(SIGPIPE, SIG_IGN);
  Diagnostics diagnostics;
  LoopbackPort port = open_loopback_port(words.port, diagnostics);
  if (!port.listener)
    return refuse(diagnostics);
  auto target = debug_target_of(words.options, diagnostics);
  if (!target)
    return refuse(diagnostics);
  auto session = SessionProcess::start(std::move(*target), port.listener, diagnostics);
  if (!session)
    return refuse(diagnostics);
  const PageAddress address(port.number);
  const PageEnd end =
      serve_page(std::move(port.listener), session->take_socket(), address, [&address] {
        std::cout << address.text() << '\n' << std::flush;
        std::cerr << "nplab: open this address in a browser of this machine; Ctrl-C ends it\n";
      });
  if (end == PageEnd::kPageClosed)
    std::cerr << "nplab: the page was closed\n";
  const ProcessEnd ended = session->wait();
  if (ended.succeeded())
    return kDone;
  std::cerr << fmt::format("nplab: error: the process of the debugger {}\n", ended.text());
  return kProgramFailed;
}

}  // namespace

void add_view_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "view", "Show a run in a browser: play, step forwards and backwards, follow packets");
  command->footer(
      "Prints the address of a page that this program serves at 127.0.0.1, to no other machine. "
      "The page shows source and assembly with the lines of all threads, and the chip with its "
      "queues. docs/debugging describes it. The command ends with Ctrl-C, by the page's button, or "
      "when the page has been closed for 3 seconds.\n"
      "Exit status: 0 the session was ended; 2 bad input; 3 the process of the debugger failed.");
  auto words = std::make_shared<ViewWords>();
  command
      ->add_option("--port", words->port, "TCP port of 127.0.0.1 for the page; 0: any free one [0]")
      ->type_name("N");
  add_debug_options(*command, words->options,
                    "a mapping file or a listed name (nplab list), or a program: .c, .s or .o");
  command->get_option("MAPPING|FILE")->required();
  command->callback([words, &status] { status = view(*words); });
}

}  // namespace nplab::tools
