#include "experiments/run/isolated_runs.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <numeric>
#include <thread>

namespace nplab::experiments {
namespace {

// What a child writes: lines `p FRACTION`, then a line `r` with the record's text behind it until
// it closes the pipe.
constexpr char kProgressLine = 'p';
constexpr char kRecordLine = 'r';

void write_all(int file, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const auto count = ::write(file, text.data() + written, text.size() - written);
    if (count <= 0)
      ::_exit(EXIT_FAILURE);
    written += static_cast<std::size_t>(count);
  }
}

[[noreturn]] void run_child(const IsolatedRun& run, int file) {
  const auto record = run([file](double done) {
    write_all(file, std::string(1, kProgressLine) + " " + std::to_string(done) + "\n");
  });
  write_all(file, std::string(1, kRecordLine) + "\n" + reports::to_json(record));
  ::_exit(EXIT_SUCCESS);  // no static destructors: the kernel and the compiler are the parent's too
}

class Child {
 public:
  explicit Child(const IsolatedRun& run) {
    std::array<int, 2> ends{};
    [[maybe_unused]] const int piped = ::pipe(ends.data());
    assert(piped == 0 && "a pipe can be made");
    process_ = ::fork();
    assert(process_ >= 0 && "a process can be started");
    if (process_ == 0) {
      ::close(ends[0]);
      run_child(run, ends[1]);
    }
    ::close(ends[1]);
    file_ = ends[0];
  }

  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] bool ended() const { return file_ < 0; }
  [[nodiscard]] double done() const { return done_; }

  // Takes what the child has written; at its end, reaps it.
  void read() {
    std::array<char, 65536> block{};
    const auto count = ::read(file_, block.data(), block.size());
    if (count > 0) {
      text_.append(block.data(), static_cast<std::size_t>(count));
      take_progress();
      return;
    }
    ::close(file_);
    file_ = -1;
    int state = 0;
    ::waitpid(process_, &state, 0);
    succeeded_ = WIFEXITED(state) && WEXITSTATUS(state) == EXIT_SUCCESS;
  }

  [[nodiscard]] std::optional<reports::RunRecord> record() const {
    if (!succeeded_ || text_.size() < 2 || text_.front() != kRecordLine)
      return std::nullopt;
    Diagnostics diagnostics;
    return reports::from_json(text_.substr(2), "run", diagnostics);
  }

 private:
  void take_progress() {
    while (!text_.empty() && text_.front() == kProgressLine) {
      const auto end = text_.find('\n');
      if (end == std::string::npos)
        return;
      done_ = std::strtod(text_.c_str() + 1, nullptr);
      text_.erase(0, end + 1);
    }
  }

  pid_t process_ = 0;
  int file_ = -1;
  std::string text_;
  double done_ = 0;
  bool succeeded_ = false;
};

}  // namespace

std::optional<std::vector<reports::RunRecord>> run_isolated(
    const std::vector<IsolatedRun>& runs, const std::function<void(double)>& progress,
    std::size_t& broken) {
  const std::size_t at_once = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Child> children;
  children.reserve(runs.size());
  for (;;) {
    const auto active = static_cast<std::size_t>(
        std::count_if(children.begin(), children.end(), [](const Child& c) { return !c.ended(); }));
    if (active == 0 && children.size() == runs.size())
      break;
    if (active < at_once && children.size() < runs.size()) {
      children.emplace_back(runs[children.size()]);
      continue;
    }
    std::vector<pollfd> files;
    for (const Child& child : children)
      files.push_back({child.file(), POLLIN, 0});  // a negative file is skipped
    ::poll(files.data(), files.size(), -1);
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (files[i].revents != 0)
        children[i].read();
    }
    const double done = std::accumulate(
        children.begin(), children.end(), 0.0,
        [](double sum, const Child& c) { return sum + (c.ended() ? 1 : c.done()); });
    progress(done / static_cast<double>(runs.size()));
  }
  std::vector<reports::RunRecord> records;
  for (std::size_t i = 0; i < children.size(); ++i) {
    auto record = children[i].record();
    if (!record) {
      broken = i;
      return std::nullopt;
    }
    records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace nplab::experiments
