// A function of this program that runs in a process of its own: a copy of this one, with all that
// is in memory, whose crash or leak harms nothing here. Other threads of this process are not in
// the copy.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "support/diagnostics.h"
#include "support/file_descriptor.h"
#include "support/process.h"

namespace nplab {

class ForkedWork {
 public:
  // Sends text to the process that started the work.
  using Send = std::function<void(std::string_view text)>;
  using Work = std::function<void(const Send& send)>;

  // Starts `work`, called `name` in diagnostics. Nothing, and a diagnostic, when there is no
  // process or pipe for it.
  static std::optional<ForkedWork> start(const std::string& name, const Work& work,
                                         Diagnostics& diagnostics);
  ForkedWork(ForkedWork&& other) noexcept;
  ForkedWork& operator=(ForkedWork&& other) noexcept;
  // Work that has not ended is killed.
  ~ForkedWork();

  // Readable, for poll, when the work has sent something or has ended; negative after its end.
  [[nodiscard]] int file() const { return pipe_.number(); }
  // What has been sent since the last call; waits for it. Empty at the end.
  std::string read();
  // How the process ended; nothing while it runs.
  [[nodiscard]] const std::optional<ProcessEnd>& end() const { return end_; }

 private:
  ForkedWork(pid_t process, FileDescriptor pipe) : process_(process), pipe_(std::move(pipe)) {}
  void wait();

  pid_t process_ = 0;
  FileDescriptor pipe_;
  std::optional<ProcessEnd> end_;
};

}  // namespace nplab
