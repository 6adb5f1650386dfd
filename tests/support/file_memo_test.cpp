#include "support/file_memo.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/input_file.h"
#include "support/yaml_file.h"
#include "tests/paths.h"

using nplab::Diagnostics;
using nplab::FileMemo;

namespace {

std::string written(const std::string& name, const std::string& text) {
  const std::string path = nplab::binary_path() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

// Longer than a file must have been left alone to be remembered.
void let_settle() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
}

}  // namespace

TEST_CASE("what was made of a file is made again only when the file changes") {
  const std::string path = written("memo.txt", "one");
  FileMemo<int> memo;
  int made = 0;
  const auto get = [&] { return memo.get(path, [&] { return std::optional(++made); }); };
  let_settle();
  CHECK(get() == 1);
  CHECK(get() == 1);
  written("memo.txt", "two");  // as many bytes
  CHECK(get() == 2);
  CHECK(get() == 3);  // written just now: it might change without a new time
  let_settle();
  CHECK(get() == 4);
  CHECK(get() == 4);
  std::filesystem::remove(path);
  CHECK(get() == 5);
}

TEST_CASE("nothing is not remembered") {
  const std::string path = written("memo-nothing.txt", "one");
  let_settle();
  FileMemo<int> memo;
  CHECK_FALSE(memo.get(path, [] { return std::optional<int>(); }));
  CHECK(memo.get(path, [] { return std::optional(7); }) == 7);
}

TEST_CASE("a YAML file and a digest that were remembered are those of the file as it is now") {
  const std::string path = written("memo.yaml", "key: one\n");
  let_settle();
  Diagnostics diagnostics;
  const auto digest = nplab::digest_of_file(path, diagnostics);
  for (int i = 0; i < 2; ++i) {
    const auto file = nplab::read_yaml_file(path, diagnostics);
    REQUIRE(file);
    CHECK(file->root.find("key")->scalar() == "one");
    CHECK(file->sha256 == digest);
  }
  written("memo.yaml", "key: two\n");
  const auto changed = nplab::read_yaml_file(path, diagnostics);
  REQUIRE(changed);
  CHECK(changed->root.find("key")->scalar() == "two");
  CHECK(nplab::digest_of_file(path, diagnostics) == changed->sha256);
  CHECK(changed->sha256 != digest);
}
