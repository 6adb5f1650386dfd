#include "tests/tools/support/command.h"
#include "tests/paths.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/shared_collection.h"

namespace nplab::tools::testing {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr unsigned kSecondsAtMost = 1400;
#else
constexpr unsigned kSecondsAtMost = 280;
#endif

[[noreturn]] void become(const std::string& program, const Words& words, const fs::path& folder,
                         const ScratchFolder& pipes) {
  // A regular file on each side: what is written can neither block nor be told from a pipe by
  // isatty.
  if (std::freopen("/dev/null", "r", stdin) == nullptr)
    ::_exit(126);
  if (std::freopen(pipes.file("out").c_str(), "w", stdout) == nullptr)
    ::_exit(126);
  if (std::freopen(pipes.file("err").c_str(), "w", stderr) == nullptr)
    ::_exit(126);
  if (::chdir(folder.c_str()) != 0)
    ::_exit(126);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(kSecondsAtMost);
  std::vector<std::string> all{program};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(program.c_str(), arguments.data());
  ::_exit(127);
}

std::string text_of(const Words& words) {
  std::string text;
  for (const std::string& word : words)
    text += " " + word;
  return text;
}

}  // namespace

Outcome run_program(const std::string& program, const Words& words, const fs::path& folder) {
  const ScratchFolder pipes;
  std::fflush(nullptr);  // or the child writes what this process has not yet
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0)
    become(program, words, folder, pipes);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, read_text(pipes.file("out")), read_text(pipes.file("err"))};
}

Outcome call_nplab(const Words& words, const fs::path& folder) {
  return run_program(program_path(), words, folder);
}

Words operator+(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "nplab-test-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string ScratchFolder::write(const std::string& name, std::string_view contents) const {
  std::ofstream(path_ / name, std::ios::binary) << contents;
  return file(name);
}

std::vector<std::string> ScratchFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_))
    names.push_back(fs::relative(entry.path(), path_));
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

nlohmann::json read_json(const std::string& path) {
  return nlohmann::json::parse(read_text(path));
}

std::string data_file(const std::string& name) {
  return source_path("tests/data/") + name;
}

std::string shared_file(const std::string& name) {
  return nplab::shared_file(name);
}

Words listed_mappings() {
  const Outcome outcome = call_nplab({"list", "--json"});
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out).at("mappings").get<Words>();
}

nlohmann::json record_of(const Words& words) {
  const ScratchFolder folder;
  const Words call = Words{"run"} + words + Words{"--quiet", "--json", folder.file("run.json")};
  INFO("nplab" << text_of(call));
  const Outcome outcome = call_nplab(call);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return read_json(folder.file("run.json"));
}

}  // namespace nplab::tools::testing
