// The nplab command as a user calls it: a child process, its exit status and what it wrote.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace nplab::tools::testing {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

struct Outcome {
  int status =
      0;  // exit status; 128 + the signal's number when a signal ended it, as a shell has it
  std::string out;
  std::string err;
};

// Runs a program to its end; more than 280 seconds end it with SIGKILL. The working directory is
// `folder`.
Outcome run_program(const std::string& program, const Words& words, const fs::path& folder = ".");

// The nplab command under test.
Outcome call_nplab(const Words& words, const fs::path& folder = ".");

// One list behind another, for calls with a common part.
Words operator+(Words first, const Words& second);

// A folder of its own that is removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  // Writes the file and returns its path.
  [[nodiscard]] std::string write(const std::string& name, std::string_view contents) const;
  // The names of all files in it, in order.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  fs::path path_;
};

std::string read_text(const std::string& path);
nlohmann::json read_json(const std::string& path);

// A file of tests/data.
std::string data_file(const std::string& name);
// A file of the collection of rule sets and captures that $NPLAB_SHARED names (default: `../shared`
// beside the project); empty when it is not there.
std::string shared_file(const std::string& name);

// The mappings that `nplab list` names.
Words listed_mappings();

// Runs `nplab run` with --quiet and --json, requires exit status 0 and returns the record.
nlohmann::json record_of(const Words& words);

}  // namespace nplab::tools::testing
