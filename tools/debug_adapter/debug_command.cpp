// nplab debug: a program or a mapping under a debugger's client, by the Debug Adapter Protocol.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstring>
#include <iostream>
#include <memory>

#include "tools/commands/commands.h"
#include "tools/debug_adapter/session.h"
#include "tools/options/compile_options.h"
#include "tools/options/experiment_options.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct DebugWords {
  std::string what;
  std::optional<std::uint16_t> port;
  ProgramRunOptions program;
  CompileOptionWords compile;
  ExperimentOptions experiment;
};

bool is_program(const std::string& word) {
  return word.ends_with(".c") || word.ends_with(".s") || word.ends_with(".o");
}

std::optional<DebugTarget> prepare(DebugWords words, const std::string& program,
                                   Diagnostics& diagnostics) {
  if (words.what.empty())
    words.what = program;
  if (words.what.empty()) {
    diagnostics.error(without_lines("launch"),
                      "what is to be debugged is missing: name a mapping or a program on the "
                      "command line or as `program` of the launch request");
    return std::nullopt;
  }
  words.experiment.variables = compiler::VariableRecord::kKept;
  if (!is_program(words.what))
    return debug_target_of_mapping(words.what, words.experiment, diagnostics);
  ProgramRunOptions options = words.program;
  options.file = words.what;
  options.set = words.experiment.set;
  if (!words.experiment.chip.empty())
    options.chip = words.experiment.chip;
  auto compile = compile_options_of(words.compile, diagnostics);
  if (!compile)
    return std::nullopt;
  compile->variables = compiler::VariableRecord::kKept;
  return debug_target_of_program(
      options, std::move(*compile),
      [](const compiler::CompileReport& report) { std::cerr << messages_text(report); },
      diagnostics);
}

// The first client that connects to the port of this machine; the port that was free for 0 is
// printed.
FileDescriptor accept_client(std::uint16_t port, Diagnostics& diagnostics) {
  const auto failed = [&](const char* what) {
    diagnostics.error(without_lines(fmt::format("--port {}", port)),
                      fmt::format("{}: {}", what, std::strerror(errno)));
    return FileDescriptor();
  };
  const FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!listener || ::setsockopt(listener.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0)
    return failed("no socket");
  if (::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.number(), 1) != 0)
    return failed("the port cannot be opened");
  socklen_t size = sizeof address;
  ::getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &size);
  std::cerr << fmt::format("nplab: waiting for a client at 127.0.0.1:{}\n",
                           ntohs(address.sin_port));
  FileDescriptor client(::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
  return client ? std::move(client) : failed("no client could connect");
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
    auto target = prepare(words, program, diagnostics);
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
      "that connects to --port. docs/debugging says how editors start it.\n"
      "Exit status: 0 the client ended the session; 2 bad input.");
  auto words = std::make_shared<DebugWords>();
  command->add_option(
      "MAPPING|FILE", words->what,
      "a mapping file or a listed name (nplab list), or a program: .c, .s or .o; without "
      "it the launch request names it as `program`");
  command
      ->add_option("--port", words->port,
                   "wait for one client on this TCP port of 127.0.0.1; 0: any free one")
      ->type_name("N");
  command
      ->add_option("--threads", words->program.threads,
                   "of a program: contexts per engine that run it [1]")
      ->check(CLI::Range(1u, simulator::kMostContexts));
  command->add_option("--engines", words->program.engines, "of a program: engines that run it [1]")
      ->check(CLI::Range(1u, simulator::kMostEngines));
  add_experiment_options(*command, words->experiment);
  command->callback([words, &status] { status = debug(*words); });
}

}  // namespace nplab::tools
