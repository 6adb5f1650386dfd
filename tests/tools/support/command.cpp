#include "tests/tools/support/command.h"
#include "tests/paths.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/process.h"
#include "tests/shared_collection.h"

namespace nplab::tools::testing {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::chrono::seconds kAtMost{1400};
#else
constexpr std::chrono::seconds kAtMost{280};
#endif

// Programs that abort leave no core files, neither here nor where they are started.
void forbid_core_files() {
  const rlimit no_core{0, 0};
  REQUIRE(::setrlimit(RLIMIT_CORE, &no_core) == 0);
}

std::string text_of(const Words& words) {
  std::string text;
  for (const std::string& word : words)
    text += " " + word;
  return text;
}

}  // namespace

Outcome run_program(const std::string& program, const Words& words, const fs::path& folder) {
  forbid_core_files();
  ProcessRequest request{.command = {program}, .folder = folder, .time_limit = kAtMost};
  request.command.insert(request.command.end(), words.begin(), words.end());
  Diagnostics diagnostics;
  const auto result = run_process(request, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(result);
  return {result->end.shell_status(), result->out, result->err};
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
