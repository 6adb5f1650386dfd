#include "support/content_cache.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "support/temporary_folder.h"

namespace fs = std::filesystem;
using nplab::ContentCache;

namespace {

// The variable as it was, at the end.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name))
      before_ = before;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

nplab::TemporaryFolder new_folder() {
  nplab::Diagnostics diagnostics;
  return nplab::TemporaryFolder::create("nplab-test", diagnostics).value();
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    files.push_back(entry.path());
  return files;
}

}  // namespace

TEST_CASE("the caches' folder is NPLAB_CACHE, else in XDG_CACHE_HOME, else in the home folder") {
  const Variable home("HOME", "/home/someone"), base("XDG_CACHE_HOME", "/var/cache/someone");
  {
    const Variable chosen("NPLAB_CACHE", "/tmp/mine");
    CHECK(nplab::cache_folder() == fs::path("/tmp/mine"));
  }
  {
    const Variable chosen("NPLAB_CACHE", "off");
    CHECK(nplab::cache_folder() == std::nullopt);
  }
  const Variable chosen("NPLAB_CACHE", nullptr);
  CHECK(nplab::cache_folder() == fs::path("/var/cache/someone/nplab"));
  {
    const Variable relative("XDG_CACHE_HOME", "cache");  // to be ignored, says its specification
    CHECK(nplab::cache_folder() == fs::path("/home/someone/.cache/nplab"));
  }
  const Variable no_base("XDG_CACHE_HOME", nullptr), no_home("HOME", nullptr);
  CHECK(nplab::cache_folder() == std::nullopt);
}

TEST_CASE("an entry is found as it was stored") {
  const nplab::TemporaryFolder folder = new_folder();
  const ContentCache cache(folder.path() / "deep" / "programs", 1000);
  CHECK(cache.find("key") == std::nullopt);
  const std::string bytes("a\0b\n", 4);
  cache.store("key", bytes);
  CHECK(cache.find("key") == bytes);
  CHECK(cache.find("other") == std::nullopt);
  CHECK(cache.size().entries == 1);
  CHECK(files_of(cache.folder()).size() == 1);
  CHECK(cache.clear().entries == 1);
  CHECK(cache.find("key") == std::nullopt);
  CHECK(cache.size().bytes == 0);
}

TEST_CASE("an entry that is damaged or cut is not there") {
  const nplab::TemporaryFolder folder = new_folder();
  const ContentCache cache(folder.path(), 1000);
  cache.store("key", "contents");
  const fs::path file = files_of(folder.path()).front();
  std::string text;
  {
    std::ifstream stored(file, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(stored), {});
  }
  for (std::size_t i = 0; i <= text.size(); ++i) {
    std::string damaged = text.substr(0, i);
    if (i < text.size() && i % 2 == 0)
      damaged = text, damaged[i] ^= 1;
    std::ofstream(file, std::ios::binary) << damaged;
    INFO(i);
    CHECK(cache.find("key").has_value() == (damaged == text));
  }
  cache.store("key", "again");
  CHECK(cache.find("key") == "again");
}

TEST_CASE("entries that were not used for longest make room for new ones") {
  const nplab::TemporaryFolder folder = new_folder();
  const ContentCache cache(folder.path(), 4 * (64 + 100));
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const std::string bytes(100, 'x');
  for (const std::string key : {"a", "b", "c", "d"}) {
    cache.store(key, bytes);
    fs::last_write_time(folder.path() / (key + ".entry"), old + std::chrono::seconds(key[0]));
  }
  CHECK(cache.find("a"));  // used now
  cache.store("e", bytes);
  CHECK(cache.size().entries == 4);
  CHECK(cache.find("a"));
  CHECK_FALSE(cache.find("b"));
  CHECK(cache.find("c"));
  CHECK(cache.find("e"));
}

TEST_CASE("a folder that cannot be written keeps nothing and fails nothing") {
  const nplab::TemporaryFolder folder = new_folder();
  std::ofstream(folder.path() / "file") << "no folder";
  const ContentCache cache(folder.path() / "file" / "programs", 1000);
  cache.store("key", "contents");
  CHECK(cache.find("key") == std::nullopt);
  CHECK(cache.size().entries == 0);
  CHECK(cache.clear().entries == 0);
}

TEST_CASE("two writers of one entry leave one of their versions, complete") {
  const nplab::TemporaryFolder folder = new_folder();
  const ContentCache cache(folder.path(), 1 << 20);
  std::atomic<int> writing = 2;
  const auto write = [&](char letter) {
    for (int i = 0; i != 200; ++i)
      cache.store("key", std::string(10000, letter));
    --writing;
  };
  std::thread one(write, 'a'), two(write, 'b');
  while (writing != 0)
    if (const auto bytes = cache.find("key"))
      CHECK((*bytes == std::string(10000, 'a') || *bytes == std::string(10000, 'b')));
  one.join();
  two.join();
  CHECK(cache.find("key"));
  CHECK(files_of(folder.path()).size() == 1);
}
