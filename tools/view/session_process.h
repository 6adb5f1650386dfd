// A session of the debugger in a process of its own, ready for requests: it has been launched and
// stands at cycle 0.
#pragma once

#include <sys/types.h>

#include <optional>
#include <utility>

#include "experiments/debugging/debug_target.h"
#include "support/file_descriptor.h"
#include "support/process.h"

namespace nplab::tools {

class SessionProcess {
 public:
  // `listener` is closed in the new process. Nothing, and a diagnostic, when it cannot be started.
  static std::optional<SessionProcess> start(experiments::DebugTarget target,
                                             const FileDescriptor& listener,
                                             Diagnostics& diagnostics);

  // Messages of the Debug Adapter Protocol, both ways. The process ends when it is closed.
  [[nodiscard]] FileDescriptor take_socket() { return std::move(socket_); }
  // Waits for the end of the process.
  [[nodiscard]] ProcessEnd wait() const;

 private:
  SessionProcess(pid_t process, FileDescriptor socket)
      : process_(process), socket_(std::move(socket)) {}

  pid_t process_;
  FileDescriptor socket_;
};

}  // namespace nplab::tools
