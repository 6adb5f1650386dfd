// What a process costs this host: nplab bench runs every command that it measures as a user would
// start it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nplab::experiments {

// What a process that has ended took.
struct Finished {
  int status = 0;  // exit status; 128 when a signal ended it
  double wall_s = 0;
  double processor_s = 0;
  std::int64_t peak_kb = 0;
};

// Runs a program, found as a shell would; its output goes to a file, its messages nowhere.
Finished run_quietly(std::vector<std::string> words,
                     const std::filesystem::path& output = "/dev/null");

// The nplab command that runs.
std::string this_program();

// A folder for results that is removed at the end.
class ResultFolder {
 public:
  ResultFolder();
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

bool has_callgrind();

// Host instructions that a command spends inside the simulation, counted by callgrind; nothing when
// it fails. The command's output goes to a file.
std::optional<double> host_instructions(const std::vector<std::string>& command,
                                        const std::filesystem::path& output = "/dev/null");

// Host instructions inside one simulation and its core cycles.
struct SimulationCost {
  double instructions = 0;
  double cycles = 0;
};

// By the difference of two lengths, which takes out loading and collecting.
std::optional<double> instructions_a_cycle(const std::optional<SimulationCost>& shorter,
                                           const std::optional<SimulationCost>& longer);

}  // namespace nplab::experiments
