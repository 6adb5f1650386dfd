// nplab explore: counts, searches, resumes, and writes mappings that run.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// Few points, which need few runs.
constexpr const char* kSmallSpace =
    "space: small\n"
    "others: first\n"
    "stages: {most: 2}\n"
    "engines: {per_stage: [1, 2], threads: [4, 2]}\n"
    "queues: {received: {entries: [64]}, classified: {entries: [16]}}\n";

Words search(const std::string& space, const std::string& out, const Words& more = {}) {
  return Words{"explore", "hicuts", "--space", space,     "--runs", "6", "--packets",
               "800",     "--out",  out,       "--quiet", "--json", "-"} +
         more;
}

// The front without the names of its files.
nlohmann::json front_of(const std::string& text) {
  auto front = nlohmann::json::parse(text).at("front");
  for (auto& one : front)
    one.erase("mapping");
  return front;
}

// nplab in a process group of its own, as a shell starts it.
class StartedProgram {
 public:
  explicit StartedProgram(Words words) {
    words.insert(words.begin(), nplab::program_path());
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // the runs that it leaves are this process's to wait for
    group_ = ::fork();
    REQUIRE(group_ >= 0);
    if (group_ != 0)
      return;
    ::setpgid(0, 0);
    std::vector<char*> arguments;
    for (std::string& word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (std::freopen("/dev/null", "w", stdout) != nullptr)
      ::execv(arguments.front(), arguments.data());
    ::_exit(127);
  }
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;
  ~StartedProgram() {
    if (!has_ended_)
      interrupt();
  }

  // As Ctrl-C does: every process of the group gets the signal. Returns the signals that ended
  // them, 0 for an exit, when there is none left.
  std::vector<int> interrupt() {
    ::kill(-group_, SIGINT);
    std::vector<int> signals;
    for (int status = 0; ::waitpid(-group_, &status, 0) > 0;)
      signals.push_back(WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    has_ended_ = true;
    return signals;
  }

 private:
  pid_t group_ = 0;
  bool has_ended_ = false;
};

std::size_t lines_of(const std::string& file) {
  std::ifstream stream(file);
  std::size_t lines = 0;
  for (std::string line; std::getline(stream, line);)
    ++lines;
  return lines;
}

template <class Condition>
bool comes_true(Condition condition) {
  using namespace std::chrono_literals;
  for (int i = 0; i < 6000 && !condition(); ++i)
    std::this_thread::sleep_for(10ms);
  return condition();
}

}  // namespace

TEST_CASE("explore --count says how many points there are and how many are legal", "[explore]") {
  const ScratchFolder folder;
  const Outcome outcome =
      call_nplab({"explore", "hicuts", "--space", folder.write("s.yaml", kSmallSpace), "--count"});
  CHECK(outcome.status == 0);
  // One stage on 1 or 2 engines, three cuts into two stages on 1 or 2 engines each, 2 or 4 threads.
  CHECK_THAT(outcome.out, Contains("space small, 28 points of 28 structures\nlegal: 28\n"));
}

TEST_CASE("explore finds mappings that run as it says, and the same ones when it is resumed",
          "[explore]") {
  const ScratchFolder folder;
  const std::string space = folder.write("s.yaml", kSmallSpace);
  const std::string out = folder.file("out");
  const Outcome whole = call_nplab(search(space, out));
  INFO(whole.err);
  REQUIRE(whole.status == 0);
  const auto report = nlohmann::json::parse(whole.out);
  CHECK(report.at("schema") == "nplab.explore/1");
  CHECK(report.at("space").at("points") == 28);
  CHECK(report.at("space").at("legal") == 28);
  CHECK(report.at("simulated") == 6);
  CHECK(report.at("predicted") == 28);
  CHECK(report.at("front").at(0).at("predicted").at("packets_per_s") > 0);
  CHECK(report.at("best") == report.at("front").at(0).at("mapping"));
  CHECK(report.at("front").at(0).at("bound").contains("resource"));
  CHECK_FALSE(report.at("listed").empty());

  const std::string best = report.at("best");
  const auto record = record_of({best, "--packets", "800"});
  CHECK(record.at("packets").at("misclassified") == 0);
  CHECK(record.at("latency_cycles").at("p99") ==
        report.at("front").at(0).at("objectives").at("latency_cycles").at("p99"));

  // A search that was stopped after three outcomes goes on from there.
  const std::string stopped = folder.file("stopped");
  fs::create_directory(stopped);
  std::istringstream lines(read_text(out + "/journal.jsonl"));
  std::ofstream journal(stopped + "/journal.jsonl");
  std::string line;
  for (int i = 0; i < 4 && std::getline(lines, line); ++i)
    journal << line << '\n';
  journal.close();
  const Outcome resumed = call_nplab(search(space, stopped));
  REQUIRE(resumed.status == 0);
  CHECK(nlohmann::json::parse(resumed.out).at("resumed") == 3);
  CHECK(front_of(resumed.out) == front_of(whole.out));

  const Outcome other = call_nplab(search(space, out, {"--set", "workload.seed=2"}));
  CHECK(other.status == 2);
  CHECK_THAT(other.err, Contains("journal.jsonl:1:1: error: this journal is of another search"));
}

TEST_CASE("explore --html writes the page to a file: front, bounds, files and the drawing",
          "[explore]") {
  const ScratchFolder folder;
  const std::string page = folder.file("found.html"), out = folder.file("out");
  const Outcome outcome =
      call_nplab(search(folder.write("s.yaml", kSmallSpace), out, {"--html", page}));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK_FALSE(fs::exists(out + "/index.html"));
  const std::string html = read_text(page);
  const auto front = nlohmann::json::parse(outcome.out).at("front");
  for (const auto& one : front) {
    CHECK_THAT(html, Contains(one.at("mapping").get<std::string>()));
    CHECK_THAT(html, Contains(one.at("bound").at("resource").get<std::string>()));
  }
  CHECK_THAT(html, Contains("id=\"scatter\"") && Contains("<circle"));

  const Outcome refused = call_nplab(
      search(folder.file("s.yaml"), out, {"--html", folder.file("no/such/folder/page.html")}));
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("page.html"));
}

TEST_CASE("a search that Ctrl-C ends goes on from its journal, and leaves no process",
          "[explore]") {
  const ScratchFolder folder;
  const std::string space = folder.write("s.yaml", kSmallSpace);
  const std::string out = folder.file("out"), journal = out + "/journal.jsonl";
  StartedProgram program(search(space, out));
  REQUIRE(comes_true([&] { return lines_of(journal) >= 3; }));  // the head and two outcomes
  const std::vector<int> signals = program.interrupt();
  CHECK(std::count(signals.begin(), signals.end(), SIGINT) >= 1);
  const std::size_t kept = lines_of(journal) - 1;
  CHECK_FALSE(fs::exists(out + "/front-1.yaml"));

  const Outcome resumed = call_nplab(search(space, out));
  INFO(resumed.err);
  REQUIRE(resumed.status == 0);
  const auto report = nlohmann::json::parse(resumed.out);
  CHECK(report.at("resumed").get<std::size_t>() >= 2);
  CHECK(report.at("resumed").get<std::size_t>() <= kept);  // a line may be cut short
  const Outcome whole = call_nplab(search(space, folder.file("undisturbed")));
  CHECK(front_of(resumed.out) == front_of(whole.out));
}

TEST_CASE("explore refuses what it does not understand, all at once", "[explore]") {
  const Outcome outcome = call_nplab(
      {"explore", "hicut", "--objective", "rate,speed", "--budget", "soon", "--packets", "0"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("--objective: error: 'rate,speed' is not a list of"));
  CHECK_THAT(outcome.err, Contains("--budget: error: 'soon' is not a time, such as 10min"));
  CHECK_THAT(outcome.err, Contains("--packets: error: a search compares runs of equal length"));
  CHECK_THAT(outcome.err, Contains("did you mean 'hicuts'?"));
}
