#include "support/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "support/file_descriptor.h"

namespace nplab {
namespace {

using Clock = std::chrono::steady_clock;

std::string reason(int error) {
  return std::strerror(error);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// An output stream of the child: what the child writes to, and what this process reads from.
struct Stream {
  FileDescriptor child_end;   // none: the child inherits the stream
  FileDescriptor parent_end;  // of a captured stream
};

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void duplicate(const FileDescriptor& from, int to) {
    if (from)
      ::posix_spawn_file_actions_adddup2(&actions_, from.number(), to);
  }
  void change_folder(const std::filesystem::path& folder) {
    if (!folder.empty())
      ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// One run of a program, from the streams it is given to its end.
class Run {
 public:
  Run(const ProcessRequest& request, Diagnostics& diagnostics)
      : request_(request), diagnostics_(diagnostics), started_(Clock::now()) {}

  std::optional<ProcessResult> run() {
    if (!check_folder() || !open_streams() || !spawn())
      return std::nullopt;
    const bool ended = watch_end() && read_until_end();
    if (!ended)
      ::kill(process_, SIGKILL);
    wait();
    return ended ? std::optional(std::move(result_)) : std::nullopt;
  }

 private:
  bool report(const std::string& message) {
    diagnostics_.error(without_lines(request_.command.front()), message);
    return false;
  }

  bool check_folder() {
    std::error_code error;
    if (request_.folder.empty() || std::filesystem::is_directory(request_.folder, error))
      return true;
    return report(
        fmt::format("cannot be started in '{}', which is not a folder", request_.folder.string()));
  }

  bool open_streams() {
    input_ = FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!input_)
      return report("cannot be started without an input: /dev/null: " + reason(errno));
    return open_stream(request_.out, out_) && open_stream(request_.err, err_);
  }

  bool open_stream(const ProcessOutput& output, Stream& stream) {
    switch (output.kind()) {
      case ProcessOutput::Kind::kInherited: return true;
      case ProcessOutput::Kind::kFile:
        stream.child_end = FileDescriptor(
            ::open(output.file().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        return stream.child_end || report(fmt::format("cannot write its output to '{}': {}",
                                                      output.file().string(), reason(errno)));
      case ProcessOutput::Kind::kCaptured:
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
          return report("cannot be started without a pipe for its output: " + reason(errno));
        stream.parent_end = FileDescriptor(ends[0]);
        stream.child_end = FileDescriptor(ends[1]);
        return true;
    }
    return false;
  }

  bool spawn() {
    FileActions actions;
    actions.duplicate(input_, STDIN_FILENO);
    actions.duplicate(out_.child_end, STDOUT_FILENO);
    actions.duplicate(err_.child_end, STDERR_FILENO);
    actions.change_folder(request_.folder);
    std::vector<char*> arguments;
    for (const std::string& argument : request_.command)
      arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const int error = ::posix_spawnp(&process_, arguments.front(), actions.get(), nullptr,
                                     arguments.data(), environ);
    if (error != 0)
      return report("cannot be started: " + reason(error));
    out_.child_end.close();
    err_.child_end.close();
    return true;
  }

  // Only a process with a time limit is watched: otherwise wait() waits for its end.
  bool watch_end() {
    if (request_.time_limit.count() == 0)
      return true;
    watched_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
    return watched_ || report("its time cannot be limited: " + reason(errno));
  }

  // Reads what the child writes until it has closed its streams and, when it is watched, has ended.
  bool read_until_end() {
    std::array<pollfd, 3> files{{{out_.parent_end.number(), POLLIN, 0},
                                 {err_.parent_end.number(), POLLIN, 0},
                                 {watched_.number(), POLLIN, 0}}};
    while (std::any_of(files.begin(), files.end(), [](const pollfd& f) { return f.fd >= 0; })) {
      const int ready = ::poll(files.data(), files.size(), milliseconds_left());
      if (ready == 0)
        return report(
            fmt::format("was killed after {} s, its time limit", request_.time_limit.count()));
      if (ready < 0)
        continue;  // interrupted by a signal
      take(files[0], result_.out);
      take(files[1], result_.err);
      if (files[2].revents != 0)
        files[2].fd = -1;
    }
    return true;
  }

  static void take(pollfd& file, std::string& text) {
    if (file.fd < 0 || file.revents == 0)
      return;
    std::array<char, 65536> block{};
    const auto count = ::read(file.fd, block.data(), block.size());
    if (count > 0)
      text.append(block.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
      file.fd = -1;
  }

  // For poll: negative is without an end.
  [[nodiscard]] int milliseconds_left() const {
    if (request_.time_limit.count() == 0)
      return -1;
    const auto left = started_ + request_.time_limit - Clock::now();
    const auto count = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
    return static_cast<int>(std::max<std::int64_t>(count, 0));
  }

  void wait() {
    rusage usage{};
    int status = 0;
    while (::wait4(process_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    result_.end = process_end(status);
    result_.wall_s = std::chrono::duration<double>(Clock::now() - started_).count();
    result_.processor_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    result_.peak_kb = usage.ru_maxrss;
  }

  const ProcessRequest& request_;
  Diagnostics& diagnostics_;
  Clock::time_point started_;
  FileDescriptor input_;
  Stream out_, err_;
  pid_t process_ = 0;
  FileDescriptor watched_;  // readable at the end of the process
  ProcessResult result_;
};

}  // namespace

std::string ProcessEnd::text() const {
  if (signal == 0)
    return fmt::format("ended with exit status {}", exit_status);
  return fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal));
}

ProcessEnd process_end(int wait_status) {
  if (WIFSIGNALED(wait_status))
    return {0, WTERMSIG(wait_status)};
  return {WEXITSTATUS(wait_status), 0};
}

std::optional<ProcessResult> run_process(const ProcessRequest& request, Diagnostics& diagnostics) {
  return Run(request, diagnostics).run();
}

std::optional<ProcessResult> run_successfully(const ProcessRequest& request,
                                              Diagnostics& diagnostics) {
  auto result = run_process(request, diagnostics);
  if (!result || result->end.succeeded())
    return result;
  std::string message = result->end.text();
  if (!result->err.empty())
    message += "; it says:\n" + result->err.substr(0, result->err.find_last_not_of('\n') + 1);
  diagnostics.error(without_lines(request.command.front()), message);
  return std::nullopt;
}

}  // namespace nplab
