#include "experiments/run/measured_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "experiments/prepare/data_directory.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

Finished run_quietly(std::vector<std::string> words, const fs::path& output) {
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto started = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    ::dup2(::open("/dev/null", O_WRONLY), 2);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  Finished finished;
  rusage usage{};
  int status = 0;
  ::wait4(child, &status, 0, &usage);
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  finished.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  finished.processor_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  finished.peak_kb = usage.ru_maxrss;
  return finished;
}

std::string this_program() {
  return (program_directory() / "nplab").string();
}

ResultFolder::ResultFolder() {
  std::string name = (fs::temp_directory_path() / "nplab-bench-XXXXXX").string();
  if (::mkdtemp(name.data()) != nullptr)
    path_ = name;
}

ResultFolder::~ResultFolder() {
  std::error_code ignored;
  if (!path_.empty())
    fs::remove_all(path_, ignored);
}

bool has_callgrind() {
  return run_quietly({"valgrind", "--tool=callgrind", "--version"}).status == 0;
}

// The simulation may run in a child of the command; each process leaves a profile of its own.
std::optional<double> host_instructions(const std::vector<std::string>& command,
                                        const fs::path& output) {
  const ResultFolder folder;
  std::vector<std::string> words{
      "valgrind", "--tool=callgrind", "--collect-atstart=no",
      "--toggle-collect=nplab::simulator::simulate(*",
      fmt::format("--callgrind-out-file={}/profile.%p", folder.path().string())};
  words.insert(words.end(), command.begin(), command.end());
  if (run_quietly(words, output).status != 0)
    return std::nullopt;
  double instructions = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    std::ifstream profile(entry.path());
    for (std::string line; std::getline(profile, line);)
      if (line.starts_with("totals: "))
        instructions = std::max(instructions, std::stod(line.substr(8)));
  }
  return instructions;
}

std::optional<double> instructions_a_cycle(const std::optional<SimulationCost>& shorter,
                                           const std::optional<SimulationCost>& longer) {
  if (!shorter || !longer || longer->instructions <= shorter->instructions)
    return std::nullopt;
  return (longer->instructions - shorter->instructions) / (longer->cycles - shorter->cycles);
}

}  // namespace nplab::experiments
