#include "support/process.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/forked_work.h"
#include "support/temporary_folder.h"

using namespace nplab;

namespace {

ProcessResult result_of(const ProcessRequest& request) {
  Diagnostics diagnostics;
  auto result = run_process(request, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(result);
  return *result;
}

std::string problem_of(const ProcessRequest& request) {
  Diagnostics diagnostics;
  CHECK_FALSE(run_process(request, diagnostics));
  REQUIRE(diagnostics.errors().size() == 1);
  return diagnostics.errors().front().location.file + ": " + diagnostics.errors().front().message;
}

// While it lives, this process may have only so many of a resource.
class Limit {
 public:
  Limit(int resource, rlim_t most) : resource_(resource) {
    REQUIRE(::getrlimit(resource, &before_) == 0);
    const rlimit now{most, before_.rlim_max};
    REQUIRE(::setrlimit(resource, &now) == 0);
  }
  ~Limit() { ::setrlimit(resource_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  int resource_;
  rlimit before_{};
};

}  // namespace

TEST_CASE("a process's exit status and both of its outputs are captured") {
  const auto result = result_of({.command = {"sh", "-c", "echo out; echo err >&2; exit 3"}});
  CHECK(result.end.exit_status == 3);
  CHECK(result.end.signal == 0);
  CHECK_FALSE(result.end.succeeded());
  CHECK(result.end.text() == "ended with exit status 3");
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
}

TEST_CASE("more output than a pipe holds is captured on both streams at once") {
  const auto result = result_of(
      {.command = {"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"}});
  CHECK(result.out.size() == 300000);
  CHECK(result.err.size() == 300000);
}

TEST_CASE("a process that a signal kills says which signal") {
  const auto result = result_of({.command = {"sh", "-c", "kill -SEGV $$"}});
  CHECK(result.end.signal == SIGSEGV);
  CHECK(result.end.shell_status() == 128 + SIGSEGV);
  CHECK(result.end.text() == "was killed by signal 11 (Segmentation fault)");
}

TEST_CASE("a process runs in the folder that is asked for, with an empty input") {
  const auto result = result_of({.command = {"sh", "-c", "pwd; cat"}, .folder = "/usr"});
  CHECK(result.out == "/usr\n");
}

TEST_CASE("output goes to a file when one is named") {
  Diagnostics diagnostics;
  const auto folder = TemporaryFolder::create("nplab-process-test", diagnostics);
  REQUIRE(folder);
  const auto file = folder->path() / "out";
  const auto result = result_of({.command = {"echo", "text"}, .out = ProcessOutput::to_file(file)});
  CHECK(result.out.empty());
  std::ifstream written(file);
  CHECK(std::string(std::istreambuf_iterator<char>(written), {}) == "text\n");
}

TEST_CASE("a process is measured: time, processor time and memory") {
  const auto result = result_of({.command = {"sh", "-c", "sleep 0.1"}});
  CHECK(result.wall_s >= 0.1);
  CHECK(result.processor_s < result.wall_s);
  CHECK(result.peak_kb > 100);
}

TEST_CASE("a program that is not there is a diagnostic that names it") {
  CHECK(problem_of({.command = {"nplab-no-such-program"}}) ==
        "nplab-no-such-program: cannot be started: No such file or directory");
}

TEST_CASE("a working directory that is not there is a diagnostic that names it") {
  CHECK(problem_of({.command = {"true"}, .folder = "/nowhere"}) ==
        "true: cannot be started in '/nowhere', which is not a folder");
}

TEST_CASE("an output file that cannot be written is a diagnostic that names it") {
  CHECK(problem_of({.command = {"true"}, .out = ProcessOutput::to_file("/nowhere/out")}) ==
        "true: cannot write its output to '/nowhere/out': No such file or directory");
}

TEST_CASE("a process without a file descriptor left for its pipe is a diagnostic") {
  const Limit no_more_files(RLIMIT_NOFILE, 3);
  CHECK(problem_of({.command = {"true"}}).find("true: cannot be started without an input") == 0);
}

TEST_CASE("a process that takes longer than its limit is killed, also when its output is closed") {
  using namespace std::chrono_literals;
  CHECK(problem_of({.command = {"sleep", "60"}, .time_limit = 1s}) ==
        "sleep: was killed after 1 s, its time limit");
  CHECK(problem_of({.command = {"sh", "-c", "exec >/dev/null 2>/dev/null; exec sleep 60"},
                    .time_limit = 1s}) == "sh: was killed after 1 s, its time limit");
}

TEST_CASE("a process within its time limit gives its result") {
  const auto result =
      result_of({.command = {"echo", "text"}, .time_limit = std::chrono::seconds(60)});
  CHECK(result.out == "text\n");
}

TEST_CASE("a process that had to succeed and did not is a diagnostic with what it wrote") {
  Diagnostics diagnostics;
  CHECK_FALSE(run_successfully({.command = {"sh", "-c", "echo reason >&2; exit 2"}}, diagnostics));
  CHECK(diagnostics.to_string() == "sh: error: ended with exit status 2; it says:\nreason\n");
  Diagnostics killed;
  CHECK_FALSE(run_successfully({.command = {"sh", "-c", "kill -KILL $$"}}, killed));
  CHECK(killed.to_string() == "sh: error: was killed by signal 9 (Killed)\n");
}

TEST_CASE("work in a process of its own sends text and ends with success") {
  Diagnostics diagnostics;
  auto work = ForkedWork::start(
      "work", [](const ForkedWork::Send& send) { send("one "), send("two"); }, diagnostics);
  REQUIRE(work);
  std::string text;
  for (std::string part; !(part = work->read()).empty();)
    text += part;
  CHECK(text == "one two");
  REQUIRE(work->end());
  CHECK(work->end()->succeeded());
}

TEST_CASE("work that a signal kills or an exception ends says so") {
  Diagnostics diagnostics;
  auto killed = ForkedWork::start("work", [](const auto&) { ::raise(SIGKILL); }, diagnostics);
  REQUIRE(killed);
  CHECK(killed->read().empty());
  CHECK(killed->end()->text() == "was killed by signal 9 (Killed)");
  auto thrown = ForkedWork::start(
      "work", [](const auto&) { throw std::runtime_error("expected in this test"); }, diagnostics);
  REQUIRE(thrown);
  CHECK(thrown->read().empty());
  CHECK(thrown->end()->text() == "ended with exit status 1");
}

TEST_CASE("work that nobody waits for is killed") {
  Diagnostics diagnostics;
  const auto started = std::chrono::steady_clock::now();
  {
    const auto work = ForkedWork::start("work", [](const auto&) { ::sleep(60); }, diagnostics);
    REQUIRE(work);
  }
  CHECK(std::chrono::steady_clock::now() - started < std::chrono::seconds(30));
}

TEST_CASE("work without a file descriptor left for its pipe is a diagnostic") {
  Diagnostics diagnostics;
  const Limit no_more_files(RLIMIT_NOFILE, 3);
  CHECK_FALSE(ForkedWork::start("work", [](const auto&) {}, diagnostics));
  CHECK(diagnostics.to_string() ==
        "work: error: cannot be started without a pipe: Too many open files\n");
}

TEST_CASE("a temporary folder is removed with what is in it") {
  Diagnostics diagnostics;
  std::filesystem::path path;
  {
    const auto folder = TemporaryFolder::create("nplab-process-test", diagnostics);
    REQUIRE(folder);
    path = folder->path();
    std::ofstream(path / "file") << "text";
    CHECK(std::filesystem::exists(path / "file"));
  }
  CHECK_FALSE(std::filesystem::exists(path));
}
