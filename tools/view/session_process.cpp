#include "tools/view/session_process.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>

#include "tools/debug_adapter/message_stream.h"
#include "tools/debug_adapter/session.h"

namespace nplab::tools {

using namespace experiments;
namespace {

[[noreturn]] void serve(DebugTarget target, const FileDescriptor& socket) {
  std::signal(SIGINT, SIG_IGN);  // the server's to act on, which closes the socket
  std::signal(SIGPIPE, SIG_IGN);
  MessageStream stream(socket.number(), socket.number());
  DebugSession session(
      stream, [&](const std::string&, Diagnostics&) { return std::optional(std::move(target)); });
  const bool succeeded = session.run();
  std::fflush(nullptr);
  ::_exit(succeeded ? EXIT_SUCCESS : EXIT_FAILURE);
}

// What every client begins with; the page finds a session that stands at its beginning, and finds
// it again when it is loaded a second time.
bool launch(const FileDescriptor& socket, std::string& complaint) {
  MessageStream stream(socket.number(), socket.number());
  int sequence = 0;
  for (const char* command : {"initialize", "launch", "configurationDone"})
    stream.write({{"seq", ++sequence}, {"type", "request"}, {"command", command}});
  while (const auto message = stream.read(complaint)) {
    if (message->value("event", "") == "stopped")
      return true;
    if (!message->value("success", true)) {
      complaint = message->value("message", "");
      return false;
    }
  }
  return false;
}

}  // namespace

std::optional<SessionProcess> SessionProcess::start(DebugTarget target,
                                                    const FileDescriptor& listener,
                                                    Diagnostics& diagnostics) {
  const std::string name = target.name;
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    diagnostics.error(without_lines(name), "no socket for the process of the debugger");
    return std::nullopt;
  }
  FileDescriptor mine(ends[0]), theirs(ends[1]);
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process == 0) {
    ::close(listener.number());
    mine.close();
    serve(std::move(target), theirs);
  }
  theirs.close();
  std::string complaint;
  if (process < 0 || !launch(mine, complaint)) {
    diagnostics.error(without_lines(name),
                      "the process of the debugger cannot be started" +
                          (complaint.empty() ? std::string() : ": " + complaint));
    return std::nullopt;
  }
  return SessionProcess(process, std::move(mine));
}

ProcessEnd SessionProcess::wait() const {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  return process_end(status);
}

}  // namespace nplab::tools
