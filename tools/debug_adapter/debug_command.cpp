// nplab debug: a program or a mapping under a debugger's client, by the Debug Adapter Protocol.
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>
#include <memory>

#include "tools/commands/commands.h"
#include "tools/debug_adapter/debug_options.h"
#include "tools/debug_adapter/loopback_port.h"
#include "tools/debug_adapter/session.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct DebugWords {
  std::optional<std::uint16_t> port;
  DebugOptions options;
};

std::optional<DebugTarget> prepare(DebugOptions options, const std::string& program,
                                   Diagnostics& diagnostics) {
  if (options.what.empty())
    options.what = program;
  if (options.what.empty()) {
    diagnostics.error(without_lines("launch"),
                      "what is to be debugged is missing: name a mapping or a program on the "
                      "command line or as `program` of the launch request");
    return std::nullopt;
  }
  return debug_target_of(options, diagnostics);
}

// The first client that connects to the port of this machine; the port that was free for 0 is
// printed.
FileDescriptor accept_client(std::uint16_t port, Diagnostics& diagnostics) {
  const LoopbackPort opened = open_loopback_port(port, diagnostics);
  if (!opened.listener)
    return FileDescriptor();
  std::cerr << fmt::format("nplab: waiting for a client at 127.0.0.1:{}\n", opened.number);
  FileDescriptor client(::accept4(opened.listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!client)
    port_failed(port, "no client could connect", diagnostics);
  return client;
}

int debug(const DebugWords& words) {
  std::signal(SIGPIPE, SIG_IGN);
  FileDescriptor client;
  if (words.port) {
    Diagnostics diagnostics;
    client = accept_client(*words.port, diagnostics);
    if (!client) {
      std::cerr << diagnostics.to_string();
      return kBadInput;
    }
  }
  MessageStream stream(client ? client.number() : STDIN_FILENO,
                       client ? client.number() : STDOUT_FILENO);
  DebugSession session(stream, [&](const std::string& program, Diagnostics& diagnostics) {
    auto target = prepare(words.options, program, diagnostics);
    if (!target)
      std::cerr << diagnostics.to_string();
    return target;
  });
  return session.run() ? kDone : kBadInput;
}

}  // namespace

void add_debug_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "debug", "Debug a mapping or a program, forwards and backwards, from an editor");
  command->footer(
      "Speaks the Debug Adapter Protocol on standard input and output, or with the first client "
      "that connects to --port. docs/debugging says how editors start it; nplab view is a page "
      "for those without one.\n"
      "Exit status: 0 the client ended the session; 2 bad input.");
  auto words = std::make_shared<DebugWords>();
  command
      ->add_option("--port", words->port,
                   "wait for one client on this TCP port of 127.0.0.1; 0: any free one")
      ->type_name("N");
  add_debug_options(*command, words->options,
                    "a mapping file or a listed name (nplab list), or a program: .c, .s or .o; "
                    "without it the launch request names it as `program`");
  command->callback([words, &status] { status = debug(*words); });
}

}  // namespace nplab::tools
