#include "support/unfinished_file.h"
#include "tests/paths.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

using nplab::check_writable;
using nplab::Diagnostics;
using nplab::UnfinishedFile;
namespace fs = std::filesystem;

namespace {

// Empty at the beginning and gone at the end.
class EmptyFolder {
 public:
  EmptyFolder()
      : path_(fs::path(nplab::binary_path()) / ("unfinished-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~EmptyFolder() { fs::remove_all(path_); }
  EmptyFolder(const EmptyFolder&) = delete;
  EmptyFolder& operator=(const EmptyFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] auto count() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// What is reported, empty when nothing is.
std::string write_text(const std::string& path, const std::string& text) {
  Diagnostics diagnostics;
  UnfinishedFile file(path);
  file.stream() << text;
  const bool is_written = file.commit(diagnostics);
  CHECK(is_written == !diagnostics.has_errors());
  return diagnostics.to_string();
}

// One of the folder's own where that is allowed: who may replace the system's may make one, too.
std::string full_device(const EmptyFolder& folder) {
  const std::string device = folder.file("full");
  const bool is_made = ::mknod(device.c_str(), S_IFCHR | 0600, ::makedev(1, 7)) == 0;
  return is_made && ::access(device.c_str(), W_OK) == 0 && std::ofstream(device) ? device
                                                                                 : "/dev/full";
}

std::string problem_before(const std::string& path) {
  Diagnostics diagnostics;
  check_writable(path, diagnostics);
  return diagnostics.to_string();
}

}  // namespace

TEST_CASE("a temporary file replaces the existing one completely, at commit") {
  const EmptyFolder folder;
  const std::string path = folder.file("a");
  CHECK(write_text(path, "first").empty());
  Diagnostics diagnostics;
  UnfinishedFile file(path);
  file.stream() << "second" << std::flush;
  CHECK(text_of(path) == "first");
  REQUIRE(file.commit(diagnostics));
  CHECK(text_of(path) == "second");
  CHECK(folder.count() == 1);
}

TEST_CASE("an unfinished file without a commit leaves nothing") {
  const EmptyFolder folder;
  {
    UnfinishedFile(folder.file("a")).stream() << "text";
  }
  CHECK(folder.count() == 0);
}

TEST_CASE("of a link, the file that it leads to is replaced") {
  const EmptyFolder folder;
  CHECK(write_text(folder.file("a"), "first").empty());
  fs::create_symlink("a", folder.file("link"));
  CHECK(write_text(folder.file("link"), "second").empty());
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(text_of(folder.file("a")) == "second");
}

TEST_CASE("a pipe takes what is written, and stays a pipe") {
  const EmptyFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int end = ::open(pipe.c_str(), O_RDWR);  // takes more than is written here
  CHECK(problem_before(pipe).empty());
  CHECK(write_text(pipe, "text").empty());
  char bytes[8] = {};
  CHECK(::read(end, bytes, sizeof bytes) == 4);
  CHECK(std::string(bytes) == "text");
  ::close(end);
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("a device that is full is an error that says so, and stays the device") {
  const EmptyFolder folder;
  const std::string device = full_device(folder);
  CHECK(problem_before(device).empty());
  CHECK(write_text(device, "text") ==
        device + ":0:0: error: cannot be written: No space left on device\n");
  // More than any buffer: the first of it is lost long before the commit.
  CHECK_THAT(write_text(device, std::string(1 << 20, 'x')),
             Catch::Contains("No space left on device"));
  CHECK(fs::is_character_file(device));
}

TEST_CASE("what cannot be written is known before, and reported at commit") {
  const EmptyFolder folder;
  const std::string absent = folder.file("absent/a");
  CHECK_THAT(problem_before(absent), Catch::Contains("no such folder"));
  CHECK(write_text(absent, "text") ==
        absent + ":0:0: error: cannot be written: No such file or directory\n");
  CHECK_THAT(problem_before(folder.file("")), Catch::Contains("is a folder; name a file"));
  CHECK(problem_before(folder.file("new")).empty());
}
