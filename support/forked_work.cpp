#include "support/forked_work.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

namespace nplab {
namespace {

void send_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      ::_exit(EXIT_FAILURE);  // nobody listens any more
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

// Ends without destructors of static objects: what they would release is the parent's too.
[[noreturn]] void run_child(const ForkedWork::Work& work, int file) {
  try {
    work([file](std::string_view text) { send_all(file, text); });
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "nplab: error: %s\n", problem.what());
    ::_exit(EXIT_FAILURE);
  }
  std::fflush(nullptr);
  ::_exit(EXIT_SUCCESS);
}

}  // namespace

std::optional<ForkedWork> ForkedWork::start(const std::string& name, const Work& work,
                                            Diagnostics& diagnostics) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    diagnostics.error(without_lines(name),
                      std::string("cannot be started without a pipe: ") + std::strerror(errno));
    return std::nullopt;
  }
  FileDescriptor from_child(ends[0]), to_parent(ends[1]);
  std::fflush(nullptr);  // or the child writes again what this process has not yet written
  const pid_t process = ::fork();
  if (process < 0) {
    diagnostics.error(without_lines(name),
                      std::string("cannot be started as a process: ") + std::strerror(errno));
    return std::nullopt;
  }
  if (process == 0) {
    from_child.close();
    run_child(work, to_parent.number());
  }
  return ForkedWork(process, std::move(from_child));
}

ForkedWork::ForkedWork(ForkedWork&& other) noexcept
    : process_(std::exchange(other.process_, 0)), pipe_(std::move(other.pipe_)), end_(other.end_) {}

ForkedWork& ForkedWork::operator=(ForkedWork&& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(pipe_, other.pipe_);
  std::swap(end_, other.end_);
  return *this;
}

ForkedWork::~ForkedWork() {
  if (process_ == 0 || end_)
    return;
  ::kill(process_, SIGKILL);
  wait();
}

std::string ForkedWork::read() {
  std::array<char, 65536> block{};
  ssize_t count = 0;
  do {
    count = ::read(pipe_.number(), block.data(), block.size());
  } while (count < 0 && errno == EINTR);
  if (count > 0)
    return {block.data(), static_cast<std::size_t>(count)};
  pipe_.close();
  if (!end_)
    wait();
  return {};
}

void ForkedWork::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  end_ = process_end(status);
}

}  // namespace nplab
